// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

namespace {

/// What each folder may include directly; what those may include comes with them.
const QMap<QString, QStringList>& allowed() {
    static const QMap<QString, QStringList> kAllowed{
        {"core/base", {}},
        {"core/ir", {"core/base"}},
        {"core/frontends", {"core/ir"}},
        {"core/machines", {"core/ir"}},
        {"core/layout", {"core/ir"}},
        {"core/drawing", {"core/ir"}},
        {"core/lowering", {"core/machines", "core/layout"}},
        {"core/memory", {"core/lowering"}},
        {"core/schedule", {"core/memory"}},
        {"core/roofline", {"core/schedule"}},
        {"core/families", {"core/roofline"}},
        {"core/numerics", {"core/schedule"}},
        {"core/compare", {"core/numerics", "core/frontends"}},
        {"core/measurements", {"core/roofline", "core/frontends"}},
        {"core/llm", {"core/roofline"}},
        {"core/landscape", {"core/base"}},
        {"core/cases", {"core/base"}},
        {"core/analysis",
            {"core/families", "core/frontends", "core/drawing", "core/compare", "core/measurements",
                "core/llm", "core/landscape", "core/cases"}},
        {"views/common", {"core/analysis"}},
    };
    return kAllowed;
}

QSet<QString> closure(const QString& unit) {
    QSet<QString> all{unit};
    QStringList open{unit};
    while (!open.isEmpty())
        for (const QString& next : allowed().value(open.takeFirst()))
            if (!all.contains(next)) {
                all.insert(next);
                open << next;
            }
    return all;
}

/// "core/ir/infer/x.h" → "core/ir"; "views/graph/y.h" → "views/graph".
QString unitOf(const QString& path) {
    return path.section(QLatin1Char('/'), 0, 1);
}

/// The family a path stands in, or empty: "core/families/gpu/…" → "gpu".
QString familyOf(const QString& path) {
    return path.startsWith(QLatin1String("core/families/")) ? path.section(QLatin1Char('/'), 2, 2)
                                                            : QString();
}

/// Why `file` may not include `header`; empty when it may.
QString objection(const QString& file, const QString& header) {
    const QString from = unitOf(file);
    const QString to = unitOf(header);
    if (file.startsWith(QLatin1String("app/cli/")) && header.startsWith(QLatin1String("views/")))
        return QStringLiteral("the command line links core alone");
    if (file.startsWith(QLatin1String("app/")))
        return {};
    if (!familyOf(header).isEmpty() && !familyOf(file).isEmpty()
        && familyOf(header) != familyOf(file))
        return QStringLiteral("no family uses another family's rules");
    if (from.startsWith(QLatin1String("views/")) && from != QLatin1String("views/common")) {
        if (to == from || closure(QStringLiteral("views/common")).contains(to))
            return {};
        return QStringLiteral("a panel includes views/common and core, never another panel");
    }
    if (!allowed().contains(from))
        return QStringLiteral("the folder is not in the layering table");
    return closure(from).contains(to) ? QString() : QStringLiteral("not below it in the layering");
}

QStringList includesOf(const QString& text) {
    static const QRegularExpression kInclude(
        QStringLiteral("^\\s*#\\s*include\\s*([\"<])([^\">]+)[\">]"),
        QRegularExpression::MultilineOption);
    QStringList includes;
    for (auto it = kInclude.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        includes << match.captured(1) + match.captured(2);
    }
    return includes;
}

} // namespace

class TestLayering : public QObject {
    Q_OBJECT

private:
    /// Calls check(path relative to the root, include with its opening mark) for every include of
    /// the tree.
    template <typename Check> int forEachInclude(const QStringList& folders, Check check) {
        const QDir root(QStringLiteral(FIVEFOLD_SOURCE_DIR));
        int files = 0;
        for (const QString& folder : folders) {
            QDirIterator it(
                root.filePath(folder), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                QFile file(path);
                if (!file.open(QIODevice::ReadOnly))
                    continue;
                ++files;
                for (const QString& include : includesOf(QString::fromUtf8(file.readAll())))
                    check(root.relativeFilePath(path), include);
            }
        }
        return files;
    }

private slots:
    void everyIncludePointsDownwards() {
        QStringList broken;
        const int files = forEachInclude(
            {"core", "views", "app"}, [&](const QString& file, const QString& include) {
                const QString header = include.mid(1);
                const bool isOurs = include.startsWith(QLatin1Char('"'))
                    && (header.startsWith("core/") || header.startsWith("views/")
                        || header.startsWith("app/"));
                if (!isOurs)
                    return;
                if (const QString reason = objection(file, header); !reason.isEmpty())
                    broken << file + QStringLiteral(" includes ") + header + QStringLiteral(": ")
                            + reason;
            });
        QVERIFY2(files > 50, "the source tree was not found");
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
    }

    void coreAndTheCommandLineIncludeNoQt() {
        QStringList broken;
        forEachInclude({"core", "app/cli"}, [&](const QString& file, const QString& include) {
            static const QRegularExpression kQt(QStringLiteral("^[\"<](Q[A-Z]|Qt)"));
            if (kQt.match(include).hasMatch())
                broken << file + QStringLiteral(" includes ") + include.mid(1);
        });
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
    }

    void chartsAreReachedThroughOneAdapter() {
        QStringList users;
        forEachInclude({"views", "app"}, [&](const QString& file, const QString& include) {
            static const QRegularExpression kCharts(
                QStringLiteral("^[\"<](QtCharts|QChart|QValueAxis|QLogValueAxis|QLineSeries)"));
            if (kCharts.match(include).hasMatch() && !file.startsWith("views/common/chart_adapter"))
                users << file;
        });
        QVERIFY2(users.isEmpty(), qPrintable(users.join(QLatin1Char('\n'))));
    }

    void theTableRefusesWhatItShould() {
        QVERIFY(objection("core/ir/graph.h", "core/lowering/family.h").size() > 0);
        QVERIFY(objection("core/families/gpu/fuse.cpp", "core/families/tpu/fuse.h").size() > 0);
        QVERIFY(objection("views/graph/a.cpp", "views/layout/b.h").size() > 0);
        QVERIFY(objection("app/cli/main.cpp", "views/common/panel.h").size() > 0);
        QVERIFY(objection("core/families/gpu/fuse.cpp", "core/lowering/fusion.h").isEmpty());
        QVERIFY(objection("views/graph/a.cpp", "core/analysis/result.h").isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestLayering)
#include "test_layering.moc"
