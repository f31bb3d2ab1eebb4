// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Outcome {
    int status = -1;
    QByteArray err;
};

Outcome run(const QStringList& arguments, const QString& home) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.insert(QStringLiteral("HOME"), home);
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(FIVEFOLD_PROGRAM), arguments);
    Outcome outcome;
    if (!process.waitForFinished(60000))
        return outcome;
    outcome.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    outcome.err = process.readAllStandardError();
    return outcome;
}

/// Share of pixels that differ from the most frequent colour: a blank picture has none.
double inkShare(const QImage& image) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2)
            ++counts[image.pixel(x, y)];
    int total = 0, most = 0;
    for (int count : counts) {
        total += count;
        most = qMax(most, count);
    }
    return total ? 1.0 - double(most) / total : 0;
}

} // namespace

class TestRender : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString path(const QString& name) const { return m_folder.filePath(name); }

private slots:
    void theWindowRendersOnEveryFamily_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("theme");
        for (const char* machine :
            {"gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"})
            for (const char* theme : {"light", "dark"})
                QTest::addRow("%s %s", machine, theme) << QString(machine) << QString(theme);
    }

    void theWindowRendersOnEveryFamily() {
        QFETCH(QString, machine);
        QFETCH(QString, theme);
        const QString out = path(machine + theme + ".png");
        const Outcome o =
            run({"--machine", machine, "--theme", theme, "--size", "1280x720", "--render", out},
                m_folder.path());
        QVERIFY2(o.status == 0, o.err.constData());
        const QImage image(out);
        QCOMPARE(image.size(), QSize(1280, 720));
        QVERIFY2(inkShare(image) > 0.2, qPrintable(QString::number(inkShare(image))));
    }

    void everyPanelExportsInEveryFormat_data() {
        QTest::addColumn<QString>("panel");
        for (const char* panel :
            {"graph", "layout", "timeline", "roofline", "inspector", "operators", "problems"})
            QTest::newRow(panel) << QString(panel);
    }

    void everyPanelExportsInEveryFormat() {
        QFETCH(QString, panel);
        for (const QString& suffix :
            {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}) {
            const QString out = path(panel + "." + suffix);
            const Outcome o = run({"--panel", panel, "--select", "/attn/MatMul", "--size",
                                      "700x500", "--render", out},
                m_folder.path());
            QVERIFY2(o.status == 0, o.err.constData());
            QFile file(out);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.size() > 1000);
            if (suffix == "png")
                QVERIFY(inkShare(QImage(out)) > 0.005);
            if (suffix == "svg")
                QVERIFY(file.readAll().contains("<svg"));
        }
    }

    void mistakesGetASentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("panel") << QStringList{"--panel", "kitchen", "--render", path("x.png")} << 1
                               << "roofline";
        QTest::newRow("node") << QStringList{"--select", "/no/such", "--render", path("x.png")} << 1
                              << "/no/such";
        QTest::newRow("suffix") << QStringList{"--render", path("x.bmp")} << 1 << ".png";
        QTest::newRow("file") << QStringList{"missing.onnx", "--render", path("x.png")} << 1
                              << "missing.onnx";
        QTest::newRow("machine") << QStringList{"--machine", "abacus", "--render", path("x.png")}
                                 << 1 << "spyre";
        QTest::newRow("size") << QStringList{"--size", "wide", "--render", path("x.png")} << 2
                              << "1600x1000";
        QTest::newRow("stage") << QStringList{"--stage", "cooked", "--render", path("x.png")} << 2
                               << "laid_out";
        QTest::newRow("folder") << QStringList{"--render", path("none/x.png")} << 1 << "none";
    }

    void mistakesGetASentence() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, mentions);
        const Outcome o = run(arguments, m_folder.path());
        QCOMPARE(o.status, status);
        QVERIFY2(QString::fromUtf8(o.err).contains(mentions), o.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestRender)
#include "test_render.moc"
