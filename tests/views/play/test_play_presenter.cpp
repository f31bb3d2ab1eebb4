// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "tests/views/play/play_fixture.h"
#include "views/common/palette.h"
#include "views/play/play_geometry.h"
#include "views/play/play_presenter.h"

#include <QtTest>

using namespace fivefold;
using namespace fivefold::views;
using base::Picoseconds;
using schedule::ExecutionModel;
using views::testing::firing;
using views::testing::playOf;

namespace {

play::Picture pictureOf(
    const std::shared_ptr<analysis::Result>& result, std::shared_ptr<const analysis::Play> played) {
    return play::present(
        result, std::move(played), common::LensColours(result, common::Lens::OperatorClass));
}

} // namespace

class TestPlayPresenter : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { common::Palette::apply(*qApp, common::Theme::Light); }

    void saysWhyThereIsNothing() {
        QVERIFY(pictureOf(nullptr, nullptr).empty.contains("Open a model"));
        QVERIFY(pictureOf(views::testing::emptySample(), nullptr).empty.contains("no events"));
        const auto result = views::testing::attentionSample();
        QVERIFY(pictureOf(result, nullptr).empty.contains("being played"));
        // A selection that nothing of the program comes from.
        analysis::Play none;
        none.blockName = "/gone";
        none.traces.resize(2);
        const auto gone =
            pictureOf(result, std::make_shared<const analysis::Play>(std::move(none)));
        QVERIFY2(gone.empty.contains("Nothing of /gone"), qPrintable(gone.empty));
    }

    void unknownTimesAreNoZeros() {
        auto result = views::testing::attentionSample();
        for (auto& step : result->program.steps)
            step.estimate.isKnown = false;
        const auto played = playOf(*result, firing(ExecutionModel::ProgramCounter),
            firing(ExecutionModel::DynamicDataflow));
        const auto picture = pictureOf(result, played);
        QVERIFY2(play::sentence(picture).contains("without a known time"),
            qPrintable(play::sentence(picture)));
        for (auto& event : result->program.events)
            event.start = event.end = Picoseconds(0);
        const auto flat = pictureOf(result,
            playOf(*result, firing(ExecutionModel::ProgramCounter),
                firing(ExecutionModel::DynamicDataflow)));
        QVERIFY(flat.isEmpty());
        QVERIFY(flat.empty.contains("known time"));
    }

    void everyFiringHasItsBarOnItsLane() {
        const auto result = views::testing::attentionSample();
        const auto played = views::testing::lateStatic(*result);
        const auto picture = pictureOf(result, played);
        QCOMPARE(picture.sides.size(), std::size_t(2));
        for (std::size_t side = 0; side < 2; ++side) {
            QCOMPARE(picture.sides[side].bars.size(), result->program.events.size());
            for (const auto& bar : picture.sides[side].bars) {
                const auto& firing = played->traces[side].firings[bar.firing];
                QCOMPARE(bar.start.value, firing.start.value);
                const auto kind = result->program.events[firing.event].kind;
                if (kind == lowering::EventKind::Read || kind == lowering::EventKind::Write)
                    QCOMPARE(
                        bar.fill, common::Palette::current().operatorClass(ir::OpClass::Movement));
                QCOMPARE(picture.lanes[bar.lane],
                    QString::fromStdString(
                        result->program.resources[result->program.events[firing.event].resource]
                            .name));
            }
        }
        QVERIFY(picture.sides[0].isWrong);
        QVERIFY2(
            picture.sides[0].ending.contains("stale value"), qPrintable(picture.sides[0].ending));
        QVERIFY(!picture.sides[1].isWrong);
        QVERIFY(play::sentence(picture).contains("stale"));
    }

    void aMomentSaysWhatRunsAndWhatWaits() {
        const auto result = views::testing::attentionSample();
        const auto played = playOf(*result, firing(ExecutionModel::ProgramCounter),
            firing(ExecutionModel::DynamicDataflow));
        const auto picture = pictureOf(result, played);
        const auto& trace = played->traces[0];
        const auto& second = trace.firings[trace.firings.size() / 2];
        const Picoseconds at((second.start.value + second.end.value) / 2);
        const auto moment = play::momentAt(picture, 0, at, 10);
        QVERIFY(!moment.running.empty());
        QCOMPARE(moment.lines.front().isBlocked, false);
        QVERIFY2(moment.lines.front().words.startsWith("its turn has come"),
            qPrintable(moment.lines.front().words));
        QVERIFY(moment.counts.contains(QString("of %1 fired").arg(trace.firings.size())));
        for (const auto& line : moment.lines)
            if (line.isBlocked)
                QVERIFY2(line.words.startsWith("waits"), qPrintable(line.words));
        QCOMPARE(play::momentAt(picture, 0, at, 1).lines.size(), std::size_t(1));
        const auto end = play::momentAt(picture, 0, trace.length, 10);
        QVERIFY(end.running.empty() && end.blocked.empty() && end.dots.empty());
    }

    void sidesStandAboveOneAnotherWhereThereIsRoom() {
        const auto result = views::testing::attentionSample();
        const auto picture = pictureOf(result, views::testing::lateStatic(*result));
        for (const QSizeF size : {QSizeF(1036, 140), QSizeF(1200, 740), QSizeF(420, 500),
                 QSizeF(280, 90), QSizeF(1, 1)}) {
            const auto places = play::place(picture, size, {14, 16});
            QCOMPARE(places.sides.size(), std::size_t(2));
            QCOMPARE(places.isStacked, size.height() > 300);
            const auto &a = places.sides[0].chart, &b = places.sides[1].chart;
            QCOMPARE(a.width(), b.width()); // one scale
            QVERIFY(!a.intersects(b));
            if (places.isStacked)
                QCOMPARE(a.left(), b.left());
            if (size.width() < 100)
                continue;
            QVERIFY(a.right() <= size.width() && b.bottom() <= size.height());
            const Picoseconds third(picture.span.value / 3);
            QVERIFY(std::abs(places.timeAt(1, places.x(1, third)).value - third.value)
                <= picture.span.value / 1000);
        }
    }

    void aDeadlockSaysItsCycle() {
        // b is launched after a, which takes what b makes.
        auto result = views::testing::attentionSample();
        auto& program = result->program;
        const auto queue = program.resources.add({"launches", "queue"});
        const auto alu = program.resources.add({"alu", "compute"});
        program.events = {};
        const auto add = [&](std::size_t step, lowering::ResourceId on, lowering::EventKind kind,
                             std::int64_t start, std::int64_t end) {
            lowering::Event event;
            event.step = lowering::StepId(step);
            event.resource = on;
            event.kind = kind;
            event.start = Picoseconds(start);
            event.end = Picoseconds(end);
            program.events.add(event);
        };
        add(1, queue, lowering::EventKind::Launch, 0, 1);
        add(0, queue, lowering::EventKind::Launch, 1, 2);
        add(0, alu, lowering::EventKind::Compute, 2, 10);
        add(1, alu, lowering::EventKind::Compute, 10, 20);
        auto narrow = firing(ExecutionModel::DynamicDataflow);
        narrow.queueCapacity = 1;
        const auto played = playOf(*result, narrow, firing(ExecutionModel::ProgramCounter));
        if (!played->traces[0].deadlock)
            QSKIP("the second step of the sample takes nothing of the first");
        const auto picture = pictureOf(result, played);
        QVERIFY(picture.sides[0].isWrong);
        QVERIFY(picture.sides[0].ending.startsWith("stops for good"));
        const auto moment = play::momentAt(picture, 0, picture.span, 10);
        QVERIFY2(moment.stuck.startsWith("Deadlock"), qPrintable(moment.stuck));
        QVERIFY(!moment.lines.empty());
        QVERIFY(play::sentence(picture).contains("stops for good"));
    }
};

QTEST_MAIN(TestPlayPresenter)
#include "test_play_presenter.moc"
