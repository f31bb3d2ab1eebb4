// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/common/sample_result.h"
#include "views/common/sentences.h"
#include "views/timeline/timeline_geometry.h"

#include <QtTest>

#include <set>

using namespace fivefold;
using namespace fivefold::views;
using namespace fivefold::views::timeline;
using base::Picoseconds;

namespace {

/// A plot of 1,000 pixels over 1,000 axis units.
Geometry unitGeometry() {
    Geometry geometry;
    geometry.view = {0, 1000};
    geometry.plot = QRectF(0, 0, 1000, 100);
    return geometry;
}

Sample sampleAt(double at, double bytes) {
    Sample sample;
    sample.at = at;
    sample.bytes[static_cast<std::size_t>(Kind::Activations)] = bytes;
    return sample;
}

QString stepNameOf(const analysis::Result& result, lowering::StepId step) {
    return common::stepName(result, step);
}

} // namespace

class TestTimelineGeometry : public QObject {
    Q_OBJECT
private slots:
    void aCurveKeepsItsPeaksWhateverTheZoom();
    void eventsBelowAPixelCluster();
    void ticksAreRoundAndStartWithTheUnit_data();
    void ticksAreRoundAndStartWithTheUnit();
    void partsDoNotOverlapAtAnySize_data();
    void partsDoNotOverlapAtAnySize();
    void programOrderGivesEveryStepTheSameWidth();
    void rangeTotalsAreSaidInWords();
    void spillAndPaddingStandApart();
    void cachesHaveWordsAndNoAllocations();
    void pinsStandOnTopAndAreKept();
    void hiddenLevelsLeaveTheirRoom();
    void aLifeIsOutlinedFromWriteToRead();
    void arrowsFollowDependencies();
    void crowdedArrowsAreLeftOut();
    void theListSaysWhyAndAddsUp();
    void stackingOrderAndPointsAgree();
    void whatIsAliveIsOfTheFullestInstance();
    void bufferNamesNeverOverlap();
    void aHundredThousandEventsStayCheap();
};

void TestTimelineGeometry::aCurveKeepsItsPeaksWhateverTheZoom() {
    Band band;
    for (int i = 0; i < 100'000; ++i)
        band.samples.push_back(sampleAt(i * 0.01, i == 54'321 ? 1000 : 1 + i % 7));
    const auto stretches = curve(band, unitGeometry(), 0, 1000, 0, 1000);
    QVERIFY(stretches.size() <= 2100);
    double highest = 0;
    double right = 0;
    for (const Stretch& stretch : stretches) {
        highest = std::max(highest, stretch.total());
        QVERIFY(stretch.left >= right - 1e-9);
        right = stretch.right;
    }
    QCOMPARE(highest, 1000.0);
    QCOMPARE(right, 1000.0);
    // One sample holds until the next, or to the end.
    band.samples = {sampleAt(0, 5), sampleAt(400, 9)};
    const auto two = curve(band, unitGeometry(), 0, 1000, 0, 1000);
    QCOMPARE(two.size(), std::size_t{2});
    QCOMPARE(two[0].right, 400.0);
    QCOMPARE(two[1].right, 1000.0);
    QCOMPARE(two[1].total(), 9.0);
    // A view that begins inside a stretch shows that stretch.
    QCOMPARE(curve(band, unitGeometry(), 500, 600, 0, 1000).front().total(), 9.0);
    QVERIFY(curve(Band{}, unitGeometry(), 0, 1000, 0, 1000).empty());
}

void TestTimelineGeometry::eventsBelowAPixelCluster() {
    Row row;
    for (int i = 0; i < 100'000; ++i)
        row.marks.push_back({i * 0.01, i * 0.01 + 0.009, lowering::EventId(std::size_t(i)),
            lowering::StepId(std::size_t(i)), ir::OpClass::Pointwise, i == 70'000});
    const auto placed = placedMarks(row, unitGeometry());
    QVERIFY(placed.size() <= 1100);
    std::size_t count = 0;
    bool isCritical = false;
    for (const PlacedMark& mark : placed) {
        count += mark.count;
        isCritical = isCritical || mark.isCritical;
    }
    QCOMPARE(count, row.marks.size());
    QVERIFY(isCritical);
    // The longest of a cluster stands for it.
    row.marks = {
        {10, 10.1, lowering::EventId(std::size_t(0)), lowering::StepId(std::size_t(0)), {}, false},
        {10.2, 10.7, lowering::EventId(std::size_t(1)), lowering::StepId(std::size_t(1)), {},
            false},
        {500, 600, lowering::EventId(std::size_t(2)), lowering::StepId(std::size_t(2)), {}, false}};
    const auto three = placedMarks(row, unitGeometry());
    QCOMPARE(three.size(), std::size_t{2});
    QCOMPARE(three[0].first, std::size_t{1});
    QCOMPARE(three[0].count, std::size_t{2});
    QCOMPARE(markAt(row, unitGeometry(), 550), std::optional<std::size_t>(2));
    QCOMPARE(markAt(row, unitGeometry(), 11.5), std::optional<std::size_t>(1));
    QVERIFY(!markAt(row, unitGeometry(), 300));
}

void TestTimelineGeometry::ticksAreRoundAndStartWithTheUnit_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QString>("first");
    QTest::newRow("88 µs") << 0.0 << 88.8e6 << QString("0\u2009µs");
    QTest::newRow("a nanosecond") << 0.0 << 1000.0 << QString("0\u2009ns");
    QTest::newRow("zoomed") << 40e6 << 41e6 << QString("40.0\u2009µs");
    QTest::newRow("seconds") << 0.0 << 3e12 << QString("0.0\u2009s");
}

void TestTimelineGeometry::ticksAreRoundAndStartWithTheUnit() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(QString, first);
    Geometry geometry = unitGeometry();
    geometry.view = {low, high};
    const auto ticks = ticksOf(Picture{}, geometry);
    QVERIFY(ticks.size() >= 3);
    QVERIFY(ticks.size() <= 17);
    QVERIFY2(ticks.front().text.startsWith(first.left(1)), qPrintable(ticks.front().text));
    QVERIFY(ticks.front().text.endsWith(first.right(1)));
    std::set<QString> texts;
    for (const Tick& tick : ticks) {
        QVERIFY(tick.x >= -1 && tick.x <= 1001);
        QVERIFY2(texts.insert(tick.text).second, qPrintable(tick.text));
    }
}

void TestTimelineGeometry::partsDoNotOverlapAtAnySize_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size :
        {QSize(280, 100), QSize(416, 250), QSize(588, 268), QSize(900, 500), QSize(1900, 1000)})
        QTest::addRow("%d x %d", size.width(), size.height()) << size;
}

void TestTimelineGeometry::partsDoNotOverlapAtAnySize() {
    QFETCH(QSize, size);
    const Picture picture = present(testing::attentionSample(), Order::Time);
    const Geometry geometry = arrange(picture, {0, picture.length}, size);
    std::vector<QRectF> parts;
    if (!geometry.overview.isNull())
        parts.push_back(geometry.overview);
    for (const BandPlace& place : geometry.bands) {
        QVERIFY(place.plot.height() >= 40);
        parts.push_back(place.plot);
        parts.push_back(place.label);
        QVERIFY(place.label.right() <= place.plot.left());
    }
    for (const RowPlace& place : geometry.rows) {
        QVERIFY(place.plot.height() >= 20 && place.plot.height() <= 52);
        parts.push_back(place.plot);
        parts.push_back(place.label);
    }
    parts.push_back(geometry.axis);
    if (!geometry.list.isNull())
        parts.push_back(geometry.list);
    const QRectF bounds(QPointF(0, 0), QSizeF(size));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        QVERIFY(bounds.adjusted(-1, -1, 1, 1).contains(parts[i]));
        for (std::size_t j = i + 1; j < parts.size(); ++j)
            QVERIFY(!parts[i].intersects(parts[j]));
    }
    QCOMPARE(geometry.bands.size() + geometry.hiddenBands, picture.bands.size());
    QCOMPARE(geometry.rows.size() + geometry.hiddenRows, picture.rows.size());
    QCOMPARE(!geometry.list.isNull(), size.width() >= 900);
}

void TestTimelineGeometry::programOrderGivesEveryStepTheSameWidth() {
    const auto result = testing::attentionSample();
    const Picture picture = present(result, Order::Program);
    QCOMPARE(picture.length, static_cast<double>(result->program.steps.size()));
    for (std::size_t s = 0; s < result->program.steps.size(); ++s) {
        const auto span = spanOf(*result, lowering::StepId(s));
        if (!span)
            continue;
        const double from = picture.toAxis(span->first);
        QVERIFY2(std::abs(from - static_cast<double>(s)) < 1e-6, qPrintable(QString::number(from)));
        const Picoseconds back = picture.fromAxis(from);
        QVERIFY(std::abs(back.value - span->first.value) <= 1);
    }
}

void TestTimelineGeometry::rangeTotalsAreSaidInWords() {
    const auto result = testing::attentionSample();
    const Picture picture = present(result, Order::Time);
    const memory::StepBorders borders(result->program);
    const auto all = schedule::rangeTotals(
        result->program, result->machine(), borders, picture.spans, Picoseconds(0), picture.end);
    const auto lines = totalLines(*result, all);
    const auto has = [&lines](const QString& name) {
        return std::ranges::any_of(
            lines, [&name](const TotalLine& line) { return line.name.trimmed() == name; });
    };
    for (const Band& band : picture.bands)
        QVERIFY2(has(band.key), qPrintable(band.key));
    for (const Row& row : picture.rows)
        QVERIFY2(has(row.name), qPrintable(row.name));
    QVERIFY(has("weights") && has("activations")); // by cause
    QVERIFY(lines.front().value.startsWith("100"));
    const auto span = *spanOf(*result, lowering::StepId(std::size_t(1)));
    const auto one = schedule::rangeTotals(
        result->program, result->machine(), borders, picture.spans, span.first, span.second);
    QVERIFY2(
        rangeTitle(*result, one).startsWith(stepNameOf(*result, lowering::StepId(std::size_t(1)))),
        qPrintable(rangeTitle(*result, one)));
    QVERIFY(rangeTraffic(*result, one).contains("/s"));
    QVERIFY(rangeTraffic(*result, schedule::RangeTotals()).isEmpty());
}

void TestTimelineGeometry::stackingOrderAndPointsAgree() {
    const auto result = testing::attentionSample();
    const Picture picture = present(result, Order::Time);
    const Geometry geometry = arrange(picture, {0, picture.length}, QSizeF(1000, 700));
    QVERIFY(!geometry.bands.empty());
    for (const BandPlace& place : geometry.bands) {
        const double x = place.plot.center().x();
        const auto slices =
            stack(*result, picture.bands[place.band].level, picture.fromAxis(geometry.fromX(x)));
        double below = 0;
        for (const Slice& slice : slices) {
            const double y =
                place.plot.bottom() - (below + slice.bytes / 2) / place.top * place.plot.height();
            QCOMPARE(
                bufferAt(picture, geometry, place, QPointF(x, y)), std::optional(slice.buffer));
            below += slice.bytes;
        }
        QVERIFY(!bufferAt(
            picture, geometry, place, place.plot.topLeft() + QPointF(x - place.plot.left(), 0)));
        QVERIFY(below <= static_cast<double>(picture.bands[place.band].peak.value) + 1);
    }
    const auto lines = listLines(
        picture, geometry, {picture.fromAxis(picture.length / 2), nullptr, lowering::BufferId()});
    QVERIFY(lines.size() > 2);
    for (const ListLine& line : lines)
        QVERIFY(geometry.list.adjusted(0, 0, 1, 1).contains(line.rect));
}

void TestTimelineGeometry::spillAndPaddingStandApart() {
    auto result = std::make_shared<analysis::Result>(*testing::attentionSample());
    auto& buffers = result->program.buffers;
    QVERIFY(buffers.size() > 0);
    buffers[lowering::BufferId(0)].isSpill = true;
    result->memory = memory::use(result->program, result->machine());
    const Picture picture = present(result, Order::Time);
    double spill = 0;
    for (const Band& band : picture.bands)
        for (std::size_t i = 0; i < band.samples.size(); ++i) {
            const Sample& sample = band.samples[i];
            spill = std::max(spill, sample.bytes[static_cast<std::size_t>(Kind::Spill)]);
            QCOMPARE(sample.total(),
                static_cast<double>(result->memory[band.level].samples[i].bytes.value));
        }
    const base::Bytes padding = memory::paddingOf(result->program, buffers[lowering::BufferId(0)]);
    QCOMPARE(spill, static_cast<double>((buffers[lowering::BufferId(0)].bytes - padding).value));
    for (const Slice& slice : stack(*result, 0, Picoseconds(0)))
        QVERIFY(slice.bytes > 0 || slice.kind != Kind::Padding);
}

void TestTimelineGeometry::cachesHaveWordsAndNoAllocations() {
    auto machine = std::make_shared<machines::Machine>(*testing::sampleMachine());
    machine->memories[1].kind = machines::MemoryKind::Cache;
    auto result = std::make_shared<analysis::Result>(*testing::attentionSample());
    result->request.machine = machine;
    for (auto& buffer : result->program.buffers)
        buffer.level = 0;
    result->memory = memory::use(result->program, *machine);
    QVERIFY(result->memory[1].cache.has_value());
    QVERIFY(!result->memory[0].cache.has_value());
    const Picture picture = present(result, Order::Time);
    const auto cache = std::ranges::find_if(picture.bands, &Band::isCache);
    QVERIFY(cache != picture.bands.end());
    QVERIFY(cache->samples.empty());
    QVERIFY2(
        cache->words.join(' ').contains("hardware decides"), qPrintable(cache->words.join(' ')));
    QVERIFY(cache->words.join(' ').contains("hit"));
    const Geometry geometry = arrange(picture, {0, picture.length}, QSizeF(900, 600));
    for (const BandPlace& place : geometry.bands)
        if (picture.bands[place.band].isCache())
            QVERIFY(place.plot.height() < 40 && place.capacityText.contains("modelled"));
    // Resident bytes never exceed what there is.
    for (const auto& sample : result->memory[1].cache->samples)
        QVERIFY(sample.resident <= *result->memory[1].capacity);
}

void TestTimelineGeometry::pinsStandOnTopAndAreKept() {
    const Picture picture = present(testing::attentionSample(), Order::Time);
    Arrangement arrangement;
    arrangement.pins = {trackKey(picture.rows.back()), trackKey(picture.bands.back())};
    const Geometry roomy = arrange(picture, {0, picture.length}, QSizeF(900, 700), arrangement);
    QCOMPARE(shownTracks(picture, roomy).mid(0, 2), arrangement.pins);
    QCOMPARE(
        shownTracks(picture, roomy).size(), qsizetype(picture.rows.size() + picture.bands.size()));
    // Where there is hardly room, the pinned ones stay.
    const Geometry low = arrange(picture, {0, picture.length}, QSizeF(600, 130), arrangement);
    QVERIFY(low.hiddenBands + low.hiddenRows > 0);
    for (const QString& pin : arrangement.pins)
        QVERIFY2(shownTracks(picture, low).contains(pin), qPrintable(pin));
    arrangement.pins = {"resource:of another machine"};
    QCOMPARE(
        shownTracks(picture, arrange(picture, {0, picture.length}, QSizeF(900, 700), arrangement)),
        shownTracks(picture, arrange(picture, {0, picture.length}, QSizeF(900, 700))));
}

void TestTimelineGeometry::hiddenLevelsLeaveTheirRoom() {
    const Picture picture = present(testing::attentionSample(), Order::Time);
    const Geometry all = arrange(picture, {0, picture.length}, QSizeF(900, 700));
    Arrangement arrangement;
    arrangement.hiddenLevels = {picture.bands.front().key};
    const Geometry fewer = arrange(picture, {0, picture.length}, QSizeF(900, 700), arrangement);
    QCOMPARE(fewer.bands.size() + 1, all.bands.size());
    QCOMPARE(fewer.hiddenBands, std::size_t{0}); // by choice, not for want of room
    QVERIFY(fewer.bands.front().plot.height() > all.bands.front().plot.height());
}

void TestTimelineGeometry::aLifeIsOutlinedFromWriteToRead() {
    const auto result = testing::attentionSample();
    const Picture picture = present(result, Order::Time);
    const Geometry geometry = arrange(picture, {0, picture.length}, QSizeF(1000, 700));
    std::size_t outlined = 0;
    for (const BandPlace& place : geometry.bands)
        for (std::size_t b = 0; b < result->program.buffers.size(); ++b) {
            const lowering::BufferId id(b);
            const auto& buffer = result->program.buffers[id];
            const QRectF bounds = lifeOutline(picture, geometry, place, id).boundingRect();
            if (buffer.level != picture.bands[place.band].level) {
                QVERIFY(bounds.isNull());
                continue;
            }
            ++outlined;
            QVERIFY(std::abs(bounds.left() - geometry.toX(picture.toAxis(buffer.first))) < 1.5);
            QVERIFY(std::abs(bounds.right() - geometry.toX(picture.toAxis(buffer.last))) < 1.5);
            QVERIFY(place.plot.adjusted(-1, -1, 1, 1).contains(bounds));
        }
    QVERIFY(outlined > 4);
}

void TestTimelineGeometry::arrowsFollowDependencies() {
    const auto result = testing::attentionSample();
    const Picture picture = present(result, Order::Time);
    const Geometry geometry = arrange(picture, {0, picture.length}, QSizeF(1000, 700));
    std::size_t dependencies = 0;
    for (const auto& event : result->program.events)
        dependencies += event.depends.size();
    const auto all = arrows(picture, geometry, nullptr);
    QCOMPARE(all.size(), std::min(dependencies, kMostArrows));
    for (const Arrow& arrow : all)
        QVERIFY(arrow.from.x() <= arrow.to.x() + 1e-6);
    std::vector<char> none(result->program.steps.size(), 0);
    QVERIFY(arrows(picture, geometry, &none).empty());
    none[1] = 1;
    std::size_t ofOne = 0;
    for (const auto& event : result->program.events)
        for (const auto before : event.depends)
            if (event.step.index() == 1 || result->program.events[before].step.index() == 1)
                ++ofOne;
    QVERIFY(ofOne > 0);
    QCOMPARE(arrows(picture, geometry, &none).size(), ofOne);
}

void TestTimelineGeometry::crowdedArrowsAreLeftOut() {
    const auto result = testing::attentionSample();
    for (std::size_t e = 0; e < result->program.events.size(); ++e) {
        auto& depends = result->program.events[lowering::EventId(e)].depends;
        if (!depends.empty())
            depends.resize(400, depends.front());
    }
    const Picture picture = present(result, Order::Time);
    const auto count = [&](double length) {
        return arrows(picture, arrange(picture, {0, length}, QSizeF(1000, 700)), nullptr).size();
    };
    QVERIFY(count(picture.length) > 0);
    QVERIFY(count(picture.length) <= kMostArrows);
    QCOMPARE(count(picture.length * 1e6), std::size_t(0)); // all within a pixel
}

void TestTimelineGeometry::theListSaysWhyAndAddsUp() {
    const auto result = testing::attentionSample();
    const Picture picture = present(result, Order::Time);
    const Geometry geometry = arrange(picture, {0, picture.length}, QSizeF(1000, 800));
    lowering::BufferId far;
    for (std::size_t b = 0; b < result->program.buffers.size() && !far.isValid(); ++b)
        if (result->program.buffers[lowering::BufferId(b)].level == 0)
            far = lowering::BufferId(b);
    const auto lines = listLines(picture, geometry, {Picoseconds(0), nullptr, far});
    const auto count = [&lines](LineType type) {
        return std::ranges::count(lines, type, &ListLine::type);
    };
    QCOMPARE(count(LineType::Link), 1);
    QCOMPARE(count(LineType::Text), 1);
    const auto why = std::ranges::find_if(
        lines, [](const ListLine& line) { return line.name.startsWith("Why not in"); });
    QVERIFY(why != lines.end());
    // The heading of a memory gives the sum of what is listed below it.
    for (const ListLine& line : lines)
        QVERIFY(geometry.list.adjusted(0, 0, 1, 1).contains(line.rect));
    QVERIFY(!placeReason(*result, lowering::BufferId()));
}

void TestTimelineGeometry::whatIsAliveIsOfTheFullestInstance() {
    auto result = std::make_shared<analysis::Result>(*testing::attentionSample());
    auto& buffers = result->program.buffers;
    buffers = {};
    const auto add = [&](std::int64_t unit, std::int64_t bytes) {
        lowering::Buffer buffer;
        buffer.unit = unit;
        buffer.bytes = base::Bytes(bytes);
        buffer.firstStep = lowering::StepId(0);
        buffer.lastStep = lowering::StepId(0);
        buffer.last = Picoseconds(1000);
        buffers.add(buffer);
    };
    add(3, 100);
    add(5, 80);
    add(-1, 10); // on every instance
    add(5, 60);
    const auto ids = alive(*result, 0, Picoseconds(0));
    QCOMPARE(ids,
        (std::vector<lowering::BufferId>{
            lowering::BufferId(1), lowering::BufferId(2), lowering::BufferId(3)}));
    QCOMPARE(aliveElsewhere(*result, 0, Picoseconds(0)), std::size_t{1});
    // The same bytes as the peak that the curve and the sentence give.
    QCOMPARE(memory::use(result->program, result->machine())[0].peak.value, std::int64_t{150});
}

void TestTimelineGeometry::bufferNamesNeverOverlap() {
    const auto result = testing::attentionSample();
    std::size_t shown = 0;
    for (const Order order : {Order::Time, Order::Program})
        for (const QSizeF size : {QSizeF(600, 500), QSizeF(900, 600), QSizeF(1600, 1000)}) {
            const Picture picture = present(result, order);
            const Geometry geometry = arrange(picture, {0, picture.length}, size);
            for (const BandPlace& place : geometry.bands) {
                const auto labels = bufferLabels(picture, geometry, place);
                shown += labels.size();
                for (std::size_t i = 0; i < labels.size(); ++i)
                    for (std::size_t k = 0; k < i; ++k)
                        QVERIFY(!labels[i].rect.intersects(labels[k].rect));
            }
        }
    QVERIFY(shown > 0);
    // Two lives that overlap in time; each name fits its own block, but not beside the other.
    auto two = std::make_shared<analysis::Result>(*result);
    two->program.buffers = {};
    for (int i = 0; i < 2; ++i) {
        lowering::Buffer buffer;
        buffer.bytes = base::Bytes(1000 - i);
        buffer.first = Picoseconds(i == 0 ? 0 : 400);
        buffer.last = Picoseconds(i == 0 ? 600 : 1000);
        two->program.buffers.add(buffer);
    }
    Picture picture = present(two, Order::Time);
    picture.bands.assign(1, Band{});
    picture.length = 1000;
    Geometry geometry;
    geometry.view = {0, 1000};
    BandPlace place;
    place.top = 2000;
    const auto labelsIn = [&](double width) {
        geometry.plot = place.plot = QRectF(0, 0, width, 100);
        return bufferLabels(picture, geometry, place);
    };
    const auto apart = labelsIn(2000);
    QCOMPARE(apart.size(), std::size_t{2});
    const auto tight = labelsIn(2 * apart.front().rect.width());
    QCOMPARE(tight.size(), std::size_t{1});
    QCOMPARE(tight.front().buffer, lowering::BufferId(0)); // the larger one's
}

void TestTimelineGeometry::aHundredThousandEventsStayCheap() {
    const auto result = testing::chainSample(25'000);
    const Picture picture = present(result, Order::Time);
    std::size_t events = 0;
    for (const Row& row : picture.rows)
        events += row.marks.size();
    QVERIFY(events > 50'000);
    const Geometry geometry = arrange(picture, {0, picture.length}, QSizeF(1600, 900));
    for (const RowPlace& place : geometry.rows)
        QVERIFY(placedMarks(picture.rows[place.row], geometry).size() <= 2 * 1600);
    for (const BandPlace& place : geometry.bands)
        QVERIFY(curve(picture.bands[place.band], geometry, 0, picture.length, place.plot.left(),
                    place.plot.right())
                    .size()
            <= 3 * 1600);
}

QTEST_MAIN(TestTimelineGeometry)
#include "test_timeline_geometry.moc"
