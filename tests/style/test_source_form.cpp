// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QtTest>

namespace {

constexpr int kHardLimit = 800; // lines of a file
constexpr int kWindowLimit = 300; // lines of main_window.cpp

struct Source {
    QString path; ///< relative to the root
    QByteArray text;
    int lines() const { return static_cast<int>(text.count('\n')); }
};

QList<Source> sources(const QStringList& folders, const QStringList& patterns) {
    const QDir root(QStringLiteral(FIVEFOLD_SOURCE_DIR));
    QList<Source> all;
    for (const QString& folder : folders) {
        QDirIterator it(root.filePath(folder), patterns, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (file.open(QIODevice::ReadOnly))
                all.append({root.relativeFilePath(file.fileName()), file.readAll()});
        }
    }
    return all;
}

} // namespace

class TestSourceForm : public QObject {
    Q_OBJECT

private slots:
    void filesStayWithinTheirBudget() {
        QStringList tooLong;
        const auto all = sources({"core", "views", "app", "tests"}, {"*.h", "*.cpp"});
        QVERIFY(all.size() > 50);
        for (const Source& source : all) {
            const int limit = source.path == "app/gui/main_window.cpp" ? kWindowLimit : kHardLimit;
            if (source.lines() > limit)
                tooLong << QStringLiteral("%1: %2 lines, %3 allowed")
                               .arg(source.path)
                               .arg(source.lines())
                               .arg(limit);
        }
        QVERIFY2(tooLong.isEmpty(), qPrintable(tooLong.join(QLatin1Char('\n'))));
    }

    void everySourceNamesItsLicence() {
        QStringList bare;
        for (const Source& source : sources({"core", "views", "app", "tests"}, {"*.h", "*.cpp"}))
            if (!source.text.startsWith("// SPDX-FileCopyrightText:")
                || !source.text.left(200).contains("SPDX-License-Identifier: MIT"))
                bare << source.path;
        QVERIFY2(bare.isEmpty(), qPrintable(bare.join(QLatin1Char('\n'))));
    }

    void headersGuardThemselvesAndPolluteNothing() {
        QStringList bad;
        for (const Source& source : sources({"core", "views", "app"}, {"*.h"})) {
            if (!source.text.contains("#pragma once"))
                bad << source.path + QStringLiteral(": no #pragma once");
            if (source.text.contains("\nusing namespace"))
                bad << source.path + QStringLiteral(": using namespace in a header");
        }
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
    }

    void noDeveloperPathIsInTheTree() {
        QStringList bad;
        for (const Source& source :
            sources({"core", "views", "app", "tests", "packaging", "resources/machines"},
                {"*.h", "*.cpp", "*.sh", "*.cmake", "*.json", "*.md", "CMakeLists.txt"}))
            // The folders of whoever builds, wherever that is: the home folder and the source tree.
            for (const QString& folder :
                {QDir::homePath(), QStringLiteral(FIVEFOLD_SOURCE_DIR), QStringLiteral("/home")})
                for (const char before : {'"', ' ', '\'', '='})
                    if (folder.size() > 1 && source.text.contains(before + folder.toUtf8() + '/'))
                        bad << source.path + QStringLiteral(": ") + folder;
        QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QLatin1Char('\n'))));
    }
};

QTEST_APPLESS_MAIN(TestSourceForm)
#include "test_source_form.moc"
