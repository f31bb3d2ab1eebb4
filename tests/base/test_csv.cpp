// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/base/csv.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

using namespace fivefold::base;

class TestCsv : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<CsvTable> read(const std::string& text) {
        const std::string path = m_folder.filePath("table.csv").toStdString();
        std::ofstream(path, std::ios::binary) << text;
        return readCsv(path);
    }

private slots:
    void cellsMayHoldCommasQuotesAndLineBreaks() {
        const auto table = read("a,b\r\n\"1,2\",\"say \"\"hi\"\"\"\r\n\"x\ny\",3\r\n");
        QVERIFY(table.isOk());
        QCOMPARE(table->header, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(table->rows.size(), std::size_t(2));
        QCOMPARE(table->rows[0], (std::vector<std::string>{"1,2", "say \"hi\""}));
        QCOMPARE(table->rows[1][0], std::string("x\ny"));
    }

    void everyRowHasTheHeadersCells() {
        const auto table = read("a,b,c\n1\n1,2,3,4\n\n5,,7");
        QVERIFY(table.isOk());
        QCOMPARE(table->rows.size(), std::size_t(3));
        QCOMPARE(table->rows[0], (std::vector<std::string>{"1", "", ""}));
        QCOMPARE(table->rows[1], (std::vector<std::string>{"1", "2", "3"}));
        QCOMPARE(table->rows[2], (std::vector<std::string>{"5", "", "7"}));
    }

    void aByteOrderMarkIsNoPartOfTheFirstName() {
        const auto table = read("\xEF\xBB\xBFname,b\n1,2\n");
        QVERIFY(table.isOk());
        QCOMPARE(*table->column("name"), std::size_t(0));
        QVERIFY(!table->column("c"));
    }

    void anOpenQuotationIsASentence() {
        const auto table = read("a,b\n1,\"open\n2,3\n");
        QVERIFY(!table.isOk());
        QVERIFY(table.error().message.find("quotation") != std::string::npos);
    }

    void anEmptyOrMissingFileIsASentence() {
        QVERIFY(!read("").isOk());
        QVERIFY(!readCsv(m_folder.filePath("none.csv").toStdString()).isOk());
    }

    void whatIsWrittenReadsBack() {
        const std::vector<std::string> cells = {"plain", "a,b", "say \"hi\"", "two\nlines", ""};
        std::ostringstream out;
        writeCsvLine(out, {"1", "2", "3", "4", "5"});
        writeCsvLine(out, cells);
        const auto table = read(out.str());
        QVERIFY(table.isOk());
        QCOMPARE(table->rows.size(), std::size_t(1));
        QCOMPARE(table->rows[0], cells);
    }
};

QTEST_GUILESS_MAIN(TestCsv)
#include "test_csv.moc"
