// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/families/spyre/lx_solver.h"

#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QtTest>

#include <map>

using namespace fivefold::families::spyre;

namespace {

/// Fields of a CSV line; quoted fields may hold commas.
QStringList fields(const QString& line) {
    QStringList out{QString()};
    bool isQuoted = false;
    for (QChar c : line) {
        if (c == '"')
            isQuoted = !isQuoted;
        else if (c == ',' && !isQuoted)
            out.append(QString());
        else
            out.back() += c;
    }
    return out;
}

struct Row {
    QString buffer, reason;
    LxRequest request;
    QStringList parents;
    std::optional<std::int64_t> address;
    bool asksForRoom() const { return reason.isEmpty() || reason.startsWith("no room"); }
};

/// Rows by graph. Takes both forms: ours (column "verdict") and the reference's ("reason").
std::map<QString, QList<Row>> readPlan(const QString& path) {
    std::map<QString, QList<Row>> plans;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return plans;
    const QStringList names = fields(QString::fromUtf8(file.readLine()).trimmed());
    while (!file.atEnd()) {
        const QStringList cells = fields(QString::fromUtf8(file.readLine()).trimmed());
        const auto cell = [&](const char* name) { return cells.value(names.indexOf(name)); };
        Row row;
        row.buffer = cell("buffer");
        row.reason = names.contains("verdict") ? cell("verdict") : cell("reason");
        if (row.reason == "placed")
            row.reason.clear();
        row.request.bytes = cell("size").toLongLong();
        row.request.first = cell("start").toLongLong();
        row.request.last = cell("end").toLongLong() - 1;
        row.request.uses = cell("uses").split(' ').size();
        row.request.isCopiedIn = row.buffer.startsWith("arg");
        row.parents = cell("in_place_parents").split(' ', Qt::SkipEmptyParts);
        if (!cell("address").isEmpty())
            row.address = cell("address").toLongLong();
        plans[cell("case")].append(row);
    }
    return plans;
}

/// Addresses of the rows that ask for room; those of all others are unset.
QList<std::optional<std::int64_t>> solve(
    const QList<Row>& rows, std::int64_t capacity, LxSolver solver) {
    QHash<QString, std::size_t> position;
    QList<int> asking;
    for (int i = 0; i < rows.size(); ++i)
        if (rows[i].asksForRoom()) {
            position[rows[i].buffer] = static_cast<std::size_t>(asking.size());
            asking.append(i);
        }
    std::vector<LxRequest> requests;
    for (int i : asking) {
        LxRequest request = rows[i].request;
        for (const QString& parent : rows[i].parents)
            if (position.contains(parent))
                request.inPlaceParents.push_back(position[parent]);
        requests.push_back(request);
    }
    // "__spyre_lx_relayout__:SOURCE:READER" is placed together with SOURCE.
    for (int i : asking)
        if (const QStringList parts = rows[i].buffer.split(':'); parts.size() == 3)
            if (position.contains(parts[1]))
                requests[position[parts[1]]].companions.push_back(position[rows[i].buffer]);
    const auto addresses = planLx(requests, capacity, solver);
    QList<std::optional<std::int64_t>> out(rows.size());
    for (int i = 0; i < asking.size(); ++i)
        out[asking[i]] = addresses[static_cast<std::size_t>(i)];
    return out;
}

QString sharedPath(const QString& path) {
    const QString shared = QString::fromLocal8Bit(qgetenv("FIVEFOLD_SHARED"));
    return shared.isEmpty() ? QString() : shared + '/' + path;
}

std::vector<LxRequest> randomRequests(QRandomGenerator& random, int count) {
    std::vector<LxRequest> requests;
    for (int i = 0; i < count; ++i) {
        LxRequest request;
        request.bytes = 128 * (1 + random.bounded(400));
        request.first = i / 2;
        request.last = request.first + random.bounded(10);
        request.uses = 1 + random.bounded(4);
        for (std::size_t k = 0; k < requests.size() && request.inPlaceParents.size() < 2; ++k)
            if (requests[k].last == request.first && requests[k].first < request.first
                && random.bounded(2) == 0)
                request.inPlaceParents.push_back(k);
        requests.push_back(std::move(request));
    }
    return requests;
}

bool isParent(const std::vector<LxRequest>& requests, std::size_t parent, std::size_t child) {
    const auto& parents = requests[child].inPlaceParents;
    return std::find(parents.begin(), parents.end(), parent) != parents.end();
}

} // namespace

Q_DECLARE_METATYPE(fivefold::families::spyre::LxSolver)

class TestLxSolver : public QObject {
    Q_OBJECT

private slots:
    void addressesAreThoseOfTheCompiler_data();
    void addressesAreThoseOfTheCompiler();
    void nothingThatLivesTogetherOverlaps_data();
    void nothingThatLivesTogetherOverlaps();
    void relayoutIsPlacedWholeOrNotAtAll();
    void slotIsHandedOverOnce();
    void shareOfTheBackendShrinksWhatIsUsable();
    void solversAreNamedAsTheCompilerNamesThem();
};

void TestLxSolver::addressesAreThoseOfTheCompiler_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<LxSolver>("solver");
    QTest::addColumn<qint64>("capacity");
    const QString here = QStringLiteral(FIVEFOLD_SOURCE_DIR "/tests/families/spyre/data/");
    const qint64 usual = usableLxBytes(2 << 20);
    QTest::newRow("greedy") << here + "lx_greedy.csv" << LxSolver::Greedy << usual;
    QTest::newRow("one core") << here + "lx_one_core.csv" << LxSolver::Greedy << usual;
    QTest::newRow("first fit") << here + "lx_firstfit.csv" << LxSolver::FirstFit << usual;
    QTest::newRow("best fit") << here + "lx_bestfit.csv" << LxSolver::BestFit << usual;
    const auto shared = [&](const char* name, const QString& path, LxSolver solver, double share) {
        QTest::newRow(name) << sharedPath(path) << solver << qint64(usableLxBytes(2 << 20, share));
    };
    shared("greedy, all graphs", "reference/spyre_lx_plan.csv", LxSolver::Greedy, 0.2);
    const auto variant = [](const char* name) {
        return QString("data/spyre/variants/%1/spyre_lx_plan.csv").arg(name);
    };
    shared("all graphs, 1 core", variant("sencores_1"), LxSolver::Greedy, 0.2);
    shared("all graphs, 4 cores", variant("sencores_4"), LxSolver::Greedy, 0.2);
    shared("all graphs, 8 cores", variant("sencores_8"), LxSolver::Greedy, 0.2);
    shared("all graphs, 16 cores", variant("sencores_16"), LxSolver::Greedy, 0.2);
    shared("all graphs, no relayout", variant("relayout_off"), LxSolver::Greedy, 0.2);
    shared("all graphs, whole LX", variant("lx_frac_0"), LxSolver::Greedy, 0.0);
    shared("all graphs, half of LX", variant("lx_frac_05"), LxSolver::Greedy, 0.5);
    shared("all graphs, first fit", variant("solver_firstfit"), LxSolver::FirstFit, 0.2);
    shared("all graphs, best fit", variant("solver_bestfit"), LxSolver::BestFit, 0.2);
}

void TestLxSolver::addressesAreThoseOfTheCompiler() {
    QFETCH(QString, path);
    QFETCH(LxSolver, solver);
    QFETCH(qint64, capacity);
    if (path.isEmpty() || !QFileInfo::exists(path))
        QSKIP("FIVEFOLD_SHARED does not have this table");
    const auto plans = readPlan(path);
    int placed = 0;
    for (const auto& [graph, rows] : plans) {
        const auto addresses = solve(rows, capacity, solver);
        for (int i = 0; i < rows.size(); ++i) {
            QVERIFY2(addresses[i] == rows[i].address,
                qPrintable(graph + ' ' + rows[i].buffer + " is at "
                    + QString::number(addresses[i].value_or(-1)) + ", not at "
                    + QString::number(rows[i].address.value_or(-1))));
            placed += rows[i].address ? 1 : 0;
        }
    }
    QVERIFY(placed > 20);
}

void TestLxSolver::nothingThatLivesTogetherOverlaps_data() {
    QTest::addColumn<LxSolver>("solver");
    QTest::newRow("greedy") << LxSolver::Greedy;
    QTest::newRow("first fit") << LxSolver::FirstFit;
    QTest::newRow("best fit") << LxSolver::BestFit;
}

void TestLxSolver::nothingThatLivesTogetherOverlaps() {
    QFETCH(LxSolver, solver);
    QRandomGenerator random(7);
    const std::int64_t capacity = 128 * 1500;
    int placed = 0, refused = 0, inPlace = 0;
    for (int round = 0; round < 40; ++round) {
        const auto requests = randomRequests(random, 80);
        const auto addresses = planLx(requests, capacity, solver);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            refused += addresses[i] ? 0 : 1;
            if (!addresses[i])
                continue;
            ++placed;
            QCOMPARE(*addresses[i] % kLxAlignment, std::int64_t{0});
            QVERIFY(*addresses[i] + requests[i].bytes <= capacity);
            for (std::size_t k = 0; k < i; ++k) {
                const bool isTogether = addresses[k] && requests[k].last >= requests[i].first
                    && requests[i].last >= requests[k].first;
                if (!isTogether || *addresses[k] + requests[k].bytes <= *addresses[i]
                    || *addresses[i] + requests[i].bytes <= *addresses[k])
                    continue;
                // Only a child over its parent, at the tick of its write.
                QVERIFY(isParent(requests, k, i));
                QCOMPARE(requests[k].last, requests[i].first);
                QCOMPARE(*addresses[k], *addresses[i]);
                ++inPlace;
            }
        }
    }
    QVERIFY(placed > 1000 && refused > 100 && inPlace > 100);
}

void TestLxSolver::relayoutIsPlacedWholeOrNotAtAll() {
    // A source, its copy, and a reader's result.
    const std::vector<LxRequest> requests{
        {4096, 2, 3, {}, {}}, {4096, 1, 2, {}, {0}}, {4096, 3, 5, {}, {}}};
    const auto both = planLx(requests, 8192);
    QCOMPARE(both[1], std::optional<std::int64_t>(0));
    QCOMPARE(both[0], std::optional<std::int64_t>(4096));
    QCOMPARE(both[2], std::optional<std::int64_t>(0)); // the source is dead by then
    const auto neither = planLx(requests, 8191);
    QVERIFY(!neither[0] && !neither[1]);
    QCOMPARE(neither[2], std::optional<std::int64_t>(0));
}

void TestLxSolver::slotIsHandedOverOnce() {
    const std::vector<LxRequest> requests{
        {1024, 0, 1, {}, {}}, {1024, 1, 3, {0}, {}}, {1024, 1, 3, {0}, {}}};
    const auto addresses = planLx(requests, 1 << 20);
    QCOMPARE(addresses[1], std::optional<std::int64_t>(0));
    QCOMPARE(addresses[2], std::optional<std::int64_t>(1024));
}

void TestLxSolver::shareOfTheBackendShrinksWhatIsUsable() {
    QCOMPARE(usableLxBytes(2 << 20, 0.2), std::int64_t{1625344});
    QCOMPARE(usableLxBytes(2 << 20, 0.0), std::int64_t{2031616});
    QCOMPARE(usableLxBytes(2 << 20, 0.5), std::int64_t{1015808});
    QCOMPARE(usableLxBytes(2 << 20, 1.0), std::int64_t{0});
    QCOMPARE(usableLxBytes(0), std::int64_t{0});
}

void TestLxSolver::solversAreNamedAsTheCompilerNamesThem() {
    for (LxSolver solver : {LxSolver::Greedy, LxSolver::FirstFit, LxSolver::BestFit})
        QCOMPARE(parseLxSolver(toString(solver)), std::optional(solver));
    QVERIFY(!parseLxSolver("worstfit"));
}

QTEST_APPLESS_MAIN(TestLxSolver)
#include "test_lx_solver.moc"
