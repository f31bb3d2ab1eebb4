// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/open_runs_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace fivefold::app {

namespace {

constexpr int kListHeight = 64; ///< three repeats
constexpr int kWidth = 640;

QStringList textsOf(const QListWidget& list) {
    QStringList texts;
    for (int i = 0; i < list.count(); ++i)
        texts << list.item(i)->text();
    return texts;
}

} // namespace

OpenRunsDialog::OpenRunsDialog(const DebugSources& before, QWidget* parent)
    : QDialog(parent)
    , m_edits(before.edits) {
    setWindowTitle(tr("Compare runs"));
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->addRow(tr("&Device run"), createList(m_device, tr("Device run")));
    form->addRow(tr("&Reference"), createList(m_reference, tr("Reference")));
    m_inputs = new QLineEdit(before.inputs, this);
    m_inputs->setPlaceholderText(tr("inputs.npz beside the runs, where it is there"));
    form->addRow(tr("&Inputs"), m_inputs);
    layout->addLayout(form);
    m_sentence = new QLabel(this);
    m_sentence->setWordWrap(true);
    layout->addWidget(m_sentence);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_compare = buttons->addButton(tr("&Compare"), QDialogButtonBox::AcceptRole);
    m_compare->setDefault(true);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_device->addItems(before.device);
    m_reference->addItems(before.reference);
    resize(kWidth, sizeHint().height());
    refresh();
}

QWidget* OpenRunsDialog::createList(QListWidget*& list, const QString& name) {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins({});
    list = new QListWidget(row);
    list->setFixedHeight(kListHeight);
    list->setAccessibleName(name);
    list->setTextElideMode(Qt::ElideMiddle);
    layout->addWidget(list, 1);
    auto* buttons = new QVBoxLayout;
    auto* file = new QPushButton(tr("Add file…"), row);
    auto* folder = new QPushButton(tr("Add folder…"), row);
    auto* remove = new QPushButton(tr("Remove"), row);
    for (QPushButton* button : {file, folder, remove}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    layout->addLayout(buttons);
    QListWidget* target = list;
    connect(file, &QPushButton::clicked, this, [this, target] { add(target, false); });
    connect(folder, &QPushButton::clicked, this, [this, target] { add(target, true); });
    connect(remove, &QPushButton::clicked, this, [this, target] {
        qDeleteAll(target->selectedItems());
        refresh();
    });
    return row;
}

void OpenRunsDialog::add(QListWidget* list, bool isFolder) {
    if (isFolder) {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Folder of a dump"));
        if (!path.isEmpty())
            list->addItem(path);
    } else {
        list->addItems(QFileDialog::getOpenFileNames(this, tr("Dump: repeats of one run"), {},
            tr("Dumps (*.npz *.npy *.safetensors *.pt *.pth *.pb *.json *.sqlite *.db);;"
               "All files (*)")));
    }
    refresh();
}

void OpenRunsDialog::refresh() {
    const bool hasDevice = m_device->count() > 0;
    QStringList parts;
    if (!hasDevice)
        parts << tr("No device run: the machine's own numerics are computed here.");
    else if (m_device->count() > 1)
        parts << tr("%1 repeats of the device run: elements that vary are marked unstable.")
                     .arg(m_device->count());
    if (m_reference->count() == 0)
        parts << tr("No reference: it is computed here in fp64 from the weights of the model.");
    m_sentence->setText(parts.join(QLatin1Char(' ')));
}

DebugSources OpenRunsDialog::sources() const {
    DebugSources sources;
    sources.device = textsOf(*m_device);
    sources.reference = textsOf(*m_reference);
    sources.inputs = m_inputs->text().trimmed();
    sources.edits = m_edits;
    return sources;
}

} // namespace fivefold::app
