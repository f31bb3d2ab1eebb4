// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/drawing_service.h"

#include "core/drawing/child.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

namespace fivefold::views::graph {

namespace {

/// Enough for every stage of every machine of one model; a drawing of 500 boxes is about 100 KiB.
constexpr int kKnownDrawings = 96;

QString& chosenProgram() {
    static QString program;
    return program;
}

QByteArray keyOf(const std::string& text) {
    return QCryptographicHash::hash(
        QByteArrayView(text.data(), static_cast<qsizetype>(text.size())), QCryptographicHash::Sha1);
}

} // namespace

DrawingService::DrawingService(QObject* parent)
    : QObject(parent)
    , m_program(defaultProgram())
    , m_known(kKnownDrawings) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_slow.insert(m_key);
        stopChild();
        fallBack();
    });
}

DrawingService::~DrawingService() {
    m_stop.request_stop();
    stopChild();
}

void DrawingService::setDefaultProgram(const QString& program) {
    chosenProgram() = program;
}

QString DrawingService::defaultProgram() {
    if (!chosenProgram().isEmpty() || !QCoreApplication::instance())
        return chosenProgram();
    const QString own = QCoreApplication::applicationFilePath();
    return QFileInfo(own).baseName() == QStringLiteral("fivefold") ? own : QString();
}

quint64 DrawingService::request(std::shared_ptr<const drawing::Input> input) {
    cancel();
    ++m_number;
    m_input = std::move(input);
    m_isBusy = true;
    const std::string text = drawing::serialise(*m_input);
    m_key = keyOf(text);
    if (const Drawing* known = m_known.object(m_key)) {
        deliver(*known);
        return m_number;
    }
    const bool isForChild = !m_program.isEmpty() && !m_input->boxes.empty()
        && m_input->boxes.size() <= drawing::kGraphvizLimit && !m_slow.contains(m_key);
    if (isForChild)
        startChild();
    else
        fallBack();
    return m_number;
}

void DrawingService::cancel() {
    m_stop.request_stop();
    m_stop = std::stop_source();
    stopChild();
    m_isBusy = false;
}

void DrawingService::stopChild() {
    m_timer.stop();
    if (!m_child)
        return;
    m_child->disconnect(this);
    QProcess* child = std::exchange(m_child, nullptr);
    if (child->state() == QProcess::NotRunning) {
        child->deleteLater();
        return;
    }
    // The process object outlives this one just until the killed child is gone.
    child->setParent(nullptr);
    connect(child, &QProcess::finished, child, &QObject::deleteLater);
    child->kill();
}

void DrawingService::startChild() {
    m_child = new QProcess(this);
    m_child->setProgram(m_program);
    m_child->setArguments({QStringLiteral("--draw")});
    m_child->setStandardErrorFile(QProcess::nullDevice());
    connect(m_child, &QProcess::finished, this, &DrawingService::childEnded);
    connect(m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            stopChild();
            fallBack();
        }
    });
    m_timer.start(m_timeoutMs);
    m_child->start();
    if (!m_child)
        return; // it could not start, and the fallback is under way
    const std::string text = drawing::serialise(*m_input);
    m_child->write(text.data(), static_cast<qint64>(text.size()));
    m_child->closeWriteChannel();
}

void DrawingService::childEnded() {
    m_timer.stop();
    const QByteArray answer = m_child->readAllStandardOutput();
    const bool isGood = m_child->exitStatus() == QProcess::NormalExit && m_child->exitCode() == 0;
    stopChild();
    auto output = isGood ? drawing::parseOutput(
                      std::string_view(answer.data(), static_cast<std::size_t>(answer.size())))
                         : base::Result<drawing::Output>(base::Error{});
    if (output && drawing::isFor(*output, *m_input)) {
        deliver(std::make_shared<const drawing::Output>(std::move(output).value()));
        return;
    }
    m_slow.insert(m_key); // it would fail again
    fallBack();
}

void DrawingService::fallBack() {
    const QPointer<DrawingService> self(this);
    QThreadPool::globalInstance()->start([self, input = m_input, number = m_number,
                                             token = m_stop.get_token()] {
        const auto output = drawing::layeredEngine().place(*input, base::Progress(token));
        Drawing drawing;
        QString problem;
        if (output)
            drawing = std::make_shared<const drawing::Output>(*output);
        else
            problem = QString::fromStdString(output.error().message);
        // QPointer must be read on its own thread: the application object carries the answer there.
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, number, drawing, problem, token] {
                if (self && self->m_number == number && self->m_isBusy && !token.stop_requested())
                    self->deliver(drawing, problem);
            },
            Qt::QueuedConnection);
    });
}

void DrawingService::deliver(Drawing drawing, const QString& problem) {
    m_isBusy = false;
    if (drawing && !m_known.contains(m_key))
        m_known.insert(m_key, new Drawing(drawing));
    emit finished(m_number, std::move(drawing), problem);
}

bool DrawingService::waitForDone(int timeoutMs) {
    const QDeadlineTimer deadline(timeoutMs);
    while (m_isBusy && !deadline.hasExpired())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 10);
    return !m_isBusy;
}

} // namespace fivefold::views::graph
