// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dump.h"
#include "core/compare/dumps/pickle.h"
#include "core/compare/dumps/zip_archive.h"
#include "tests/fuzz/dump_exercise.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sqlite3.h>
#include <sys/stat.h>

using namespace fivefold;
using namespace fivefold::compare;

namespace {

namespace fs = std::filesystem;

const fs::path kSeeds = fs::path(FIVEFOLD_SOURCE_DIR) / "tests/fuzz/corpus";

std::string contentsOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::span<const std::byte> asBytes(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// A file in a folder of its own, opened as a dump.
class Scratch {
public:
    fs::path root() const { return m_folder.path().toStdString(); }
    fs::path write(const std::string& name, const std::string& bytes) const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name, std::ios::binary) << bytes;
        return root() / name;
    }
    /// What opening and reading everything ends with; "" when nothing is wrong.
    std::string complaint(const fs::path& path, const DumpLimits& limits = {}) const {
        const auto dump = openDump(path, limits);
        if (!dump)
            return dump.error().message;
        for (std::size_t i = 0; i < (*dump)->entries().size(); ++i)
            if (const auto tensor = (*dump)->read(i); !tensor)
                return tensor.error().message;
        return {};
    }
    std::string complaint(const std::string& name, const std::string& bytes) const {
        return complaint(write(name, bytes));
    }

private:
    QTemporaryDir m_folder;
};

std::string u64(std::uint64_t value) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &value, 8);
    return bytes;
}

std::string safetensors(const std::string& header, std::size_t dataBytes) {
    return u64(header.size()) + header + std::string(dataBytes, '\1');
}

std::string npy(const std::string& dict, std::size_t dataBytes) {
    const auto size = static_cast<std::uint16_t>(dict.size());
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(size & 0xff)
        + static_cast<char>(size >> 8) + dict + std::string(dataBytes, '\0');
}

dumps::NewMember member(const std::string& name, const std::string& bytes) {
    return {name, bytes.size(),
        [bytes] { return std::vector<std::byte>(asBytes(bytes).begin(), asBytes(bytes).end()); }};
}

/// torch.save's archive around a pickle.
fs::path torchArchive(const Scratch& scratch, const std::string& pickle,
    std::vector<std::pair<std::string, std::string>> others = {}) {
    std::vector<dumps::NewMember> members = {member("a/data.pkl", pickle)};
    for (const auto& [name, bytes] : others)
        members.push_back(member("a/" + name, bytes));
    const fs::path path = scratch.root() / "archive.pt";
    if (!dumps::writeZip(path, std::move(members)))
        return {};
    return path;
}

std::string text(const std::string& value) {
    return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}

std::string integer(std::int32_t value) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    return "J" + bytes;
}

/// A pickle of one float tensor of rank 1.
std::string tensorPickle(std::int32_t stored, std::int32_t offset, std::int32_t extent,
    std::int32_t stride, const std::string& key = "0") {
    return std::string("\x80\x02", 2) + "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage")
        + "ctorch\nFloatStorage\n" + text(key) + text("cpu") + integer(stored) + "tQ"
        + integer(offset) + integer(extent) + "\x85" + integer(stride) + "\x85\x89"
        + "ccollections\nOrderedDict\n)RtR.";
}

bool mentions(const std::string& sentence, const char* what) {
    if (sentence.find(what) != std::string::npos && sentence.back() == '.')
        return true;
    qWarning("got: %s", sentence.c_str());
    return false;
}

void executeSql(const fs::path& path, const char* sql) {
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    char* error = nullptr;
    const int code = sqlite3_exec(database, sql, nullptr, nullptr, &error);
    sqlite3_close(database);
    QVERIFY2(code == SQLITE_OK, error ? error : "");
}

} // namespace

class TestHostileDumps : public QObject {
    Q_OBJECT
private slots:
    void everyTruncationIsASentence_data();
    void everyTruncationIsASentence();
    void damageNeverCrashes_data() { everyTruncationIsASentence_data(); }
    void damageNeverCrashes();
    void npyHeaders_data();
    void npyHeaders();
    void safetensorsHeaders_data();
    void safetensorsHeaders();
    void picklesWithCode_data();
    void picklesWithCode();
    void picklesAreBounded();
    void torchStorages();
    void editedArchives();
    void zipBombs();
    void jsonTricks();
    void msprobePaths();
    void externalData();
    void databasesWithCode();
    void unusualFiles();
    void limitsHold();
};

void TestHostileDumps::everyTruncationIsASentence_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("file");
    for (const auto& folder : fs::directory_iterator(kSeeds)) {
        const std::string format = folder.path().filename().string();
        if (!folder.is_directory() || format == "onnx" || format == "fx")
            continue;
        for (const auto& file : fs::directory_iterator(folder))
            QTest::newRow((format + "/" + file.path().filename().string()).c_str())
                << QString::fromStdString(format) << QString::fromStdString(file.path().string());
    }
}

void TestHostileDumps::everyTruncationIsASentence() {
    QFETCH(QString, format);
    QFETCH(QString, file);
    const std::string whole = contentsOf(file.toStdString());
    const std::size_t step = whole.size() > 2000 ? 31 : 1;
    std::size_t opened = 0;
    for (std::size_t length = 0; length < whole.size(); length += step)
        opened += tests::exerciseDump(format.toStdString(), asBytes(whole).first(length)).empty();
    // A TensorProto without its last field may be whole; a database may lack unused pages; arrays
    // that are never read are listed whatever follows their header.
    const bool mayOpen = format == "tensorproto" || format == "ttnn" || file.endsWith("objects.npy")
        || file.endsWith("structure.npy");
    QVERIFY(mayOpen || opened == 0);
}

/// The corpus and a few seconds of damage to it; more by FIVEFOLD_MUTATIONS.
void TestHostileDumps::damageNeverCrashes() {
    QFETCH(QString, format);
    QFETCH(QString, file);
    const std::string whole = contentsOf(file.toStdString());
    const QByteArray wanted = qgetenv("FIVEFOLD_MUTATIONS");
    const int iterations = wanted.isEmpty() ? 400 : wanted.toInt();
    std::mt19937_64 random(whole.size()); // the same damage in every run
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int failed = 0;
    for (int i = 0; i < iterations; ++i) {
        std::string damaged = whole;
        for (std::size_t change = 1 + below(4); change > 0 && !damaged.empty(); --change) {
            const std::size_t at = below(damaged.size());
            switch (below(5)) {
            case 0:
                damaged[at] = static_cast<char>(random());
                break;
            case 1:
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << below(8)));
                break;
            case 2:
                damaged.erase(at, 1 + below(8));
                break;
            case 3:
                damaged.insert(at, damaged.substr(below(damaged.size()), 1 + below(24)));
                break;
            default:
                std::memset(
                    damaged.data() + at, 0xff, std::min<std::size_t>(4, damaged.size() - at));
            }
        }
        failed += !tests::exerciseDump(format.toStdString(), asBytes(damaged)).empty();
    }
    QVERIFY(failed > 0);
}

void TestHostileDumps::npyHeaders_data() {
    QTest::addColumn<QString>("dict");
    QTest::addColumn<int>("dataBytes");
    QTest::addColumn<QString>("expected");
    const auto dict = [](const char* descr, const char* shape) {
        return QString("{'descr': %1, 'fortran_order': False, 'shape': %2, }\n").arg(descr, shape);
    };
    QTest::newRow("objects") << dict("'|O'", "(2,)") << 16 << "pickle";
    QTest::newRow("structure") << dict("[('a', '<f4')]", "(2,)") << 8 << "structure";
    QTest::newRow("text") << dict("'<U5'", "(1,)") << 20 << "no numbers";
    QTest::newRow("short") << dict("'<f4'", "(3,)") << 11 << "needs 12 bytes";
    QTest::newRow("long") << dict("'<f4'", "(3,)") << 13 << "needs 12 bytes";
    QTest::newRow("huge") << dict("'<f4'", "(9223372036854775807, 4)") << 4 << "damaged";
    QTest::newRow("huge beside zero")
        << dict("'<f4'", "(0, 9223372036854775807, 9223372036854775807)") << 0 << "damaged";
    QTest::newRow("beyond 64 bits") << dict("'<f4'", "(99999999999999999999,)") << 4 << "shape";
    QTest::newRow("negative") << dict("'<f4'", "(-1,)") << 4 << "negative";
    QTest::newRow("call") << dict("'<f4'", "(__import__('os'),)") << 4 << "shape";
    QTest::newRow("code") << QString("__import__('os').system('id')\n") << 0 << "dictionary";
    QTest::newRow("twice") << QString("{'descr': '<f4', 'descr': '<f4'}") << 0 << "twice";
    QTest::newRow("lacking") << QString("{'descr': '<f4'}") << 0 << "lacks";
    QTest::newRow("33 axes") << dict("'<f4'", ("(" + QString("1,").repeated(33) + ")").toUtf8())
                             << 4 << "33 axes";
    QTest::newRow("deep") << dict(QString("[").repeated(5000).toUtf8(), "()") << 0 << "type";
}

void TestHostileDumps::npyHeaders() {
    QFETCH(QString, dict);
    QFETCH(int, dataBytes);
    QFETCH(QString, expected);
    const Scratch scratch;
    const std::string bytes = npy(dict.toStdString(), static_cast<std::size_t>(dataBytes));
    QVERIFY(mentions(scratch.complaint("x.npy", bytes), expected.toUtf8()));
}

void TestHostileDumps::safetensorsHeaders_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& bytes, const char* expected) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << expected;
    };
    const auto one = [](const std::string& shape, const std::string& offsets) {
        return R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
    };
    row("huge header", u64(1 << 30) + "{}", "claims");
    row("past the end", safetensors(one("[2]", "[0,8]"), 7), "lies at bytes");
    row("wrong size", safetensors(one("[2]", "[0,12]"), 12), "needs 8 bytes");
    row("backwards", safetensors(one("[0]", "[8,0]"), 8), "lies at bytes");
    row("negative", safetensors(one("[1]", "[-4,0]"), 4), "counts of bytes");
    row("overflow", safetensors(one("[4611686018427387904,4]", "[0,0]"), 0), "damaged");
    row("gap", safetensors(one("[1]", "[4,8]"), 8), "belong to none");
    row("rest", safetensors(one("[1]", "[0,4]"), 8), "at the end");
    row("old key", safetensors(R"({"a":{"dtype":"F32","shape":[1],"offsets":[0,4]}})", 4),
        "data_offsets");
    row("unknown type", safetensors(R"({"a":{"dtype":"X9","shape":[1],"data_offsets":[0,4]}})", 4),
        "not known");
    row("twice", safetensors(R"({"a":1,"a":2})", 0), "twice");
    row("nan", safetensors(R"({"a":NaN})", 0), "JSON");
    row("deep", safetensors("{\"a\":" + std::string(100, '['), 0), "64 deep");
    row("overlap",
        safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                    R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            8),
        "over the bytes");
}

void TestHostileDumps::safetensorsHeaders() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, expected);
    const Scratch scratch;
    QVERIFY(mentions(scratch.complaint("x.safetensors", bytes.toStdString()), expected.toUtf8()));
}

void TestHostileDumps::picklesWithCode_data() {
    QTest::addColumn<QByteArray>("pickle");
    const auto row = [](const char* name, const std::string& pickle) {
        QTest::newRow(name) << QByteArray::fromStdString("\x80\x02" + pickle);
    };
    const std::string command = text("touch executed");
    row("os.system", "cos\nsystem\n" + command + "\x85R.");
    row("posix.system", "cposix\nsystem\n" + command + "\x85R.");
    row("builtins.eval", "cbuiltins\neval\n" + command + "\x85R.");
    row("by stack", std::string("\x8c\x02os\x8c\x06system\x93") + command + "\x85R.");
    row("in pieces", "ctorch._utils\n_rebuild_tensor_v2 \n" + command + "\x85R.");
    row("nested attribute", "ctorch\nserialization.os.system\n" + command + "\x85R.");
    row("storage by suffix", "cos\nFloatStorage\n" + command + "\x85R.");
    row("storage called", "ctorch\nFloatStorage\n" + command + "\x85R.");
    row("dictionary of pairs",
        "ccollections\nOrderedDict\n]"
        "\x85R.");
    row("NEWOBJ", "ccollections\nOrderedDict\n)\x81.");
    row("INST", "(" + command + "ios\nsystem\n.");
    row("OBJ", "(cos\nsystem\n" + command + "o.");
    row("EXT", std::string("\x82\x01.", 3));
    row("BUILD", "ccollections\nOrderedDict\n)R}b.");
    row("text called", text("os.system") + command + "\x85R.");
}

void TestHostileDumps::picklesWithCode() {
    QFETCH(QByteArray, pickle);
    const Scratch scratch;
    const fs::path path = torchArchive(scratch, pickle.toStdString());
    QVERIFY(mentions(scratch.complaint(path), "code"));
    QVERIFY(!fs::exists("executed"));
    const auto direct = dumps::readPickle(asBytes(pickle.toStdString()), {}, "memory");
    QVERIFY(!direct && direct.error().code == base::ErrorCode::Refused);
    QVERIFY(mentions(scratch.complaint("old.pt", pickle.toStdString()), "safetensors"));
}

void TestHostileDumps::picklesAreBounded() {
    const Scratch scratch;
    const auto complaint = [&](const std::string& pickle) {
        return scratch.complaint(torchArchive(scratch, "\x80\x02" + pickle));
    };
    QVERIFY(mentions(complaint(std::string(1'100'000, '(')), "1000000 opcodes"));
    std::string doubling = "]"; // every tuple holds the one before twice
    for (int i = 0; i < 60; ++i)
        doubling += "q\1h\1\x86";
    QVERIFY(mentions(complaint(doubling + "."), "too often"));
    QVERIFY(mentions(complaint("]q\1h\1a."), "deep")); // a list in itself
    std::string deep;
    for (int i = 0; i < 1000; ++i)
        deep += "]";
    QVERIFY(mentions(complaint(deep + std::string(999, 'a') + "."), "deep"));
    QVERIFY(mentions(complaint(std::string("X\xff\xff\xff\x7f", 5)), "longer"));
    QVERIFY(mentions(complaint("."), "empty"));
    QVERIFY(mentions(complaint("(0."), "empty"));
    QVERIFY(mentions(complaint("h\1."), "remembered"));
}

void TestHostileDumps::torchStorages() {
    const Scratch scratch;
    const std::string four(16, '\0');
    const auto complaint = [&](const std::string& pickle,
                               std::vector<std::pair<std::string, std::string>> members) {
        return scratch.complaint(torchArchive(scratch, pickle, std::move(members)));
    };
    const auto whole = tensorPickle(4, 0, 4, 1);
    QCOMPARE(complaint(whole, {{"data/0", four}}), std::string());
    QCOMPARE(complaint(tensorPickle(4, 1, 3, 0), {{"data/0", four}}), std::string()); // expanded
    QVERIFY(mentions(complaint(whole, {}), "lacks"));
    QVERIFY(mentions(complaint(whole, {{"data/0", four.substr(4)}}), "cut or damaged"));
    QVERIFY(mentions(complaint(whole, {{"data/0", four + four}}), "cut or damaged"));
    QVERIFY(mentions(complaint(tensorPickle(4, 1, 4, 1), {{"data/0", four}}), "beyond"));
    QVERIFY(mentions(complaint(tensorPickle(4, 0, 2, 4), {{"data/0", four}}), "beyond"));
    QVERIFY(mentions(complaint(tensorPickle(4, 0, -1, 1), {{"data/0", four}}), "counts"));
    QVERIFY(mentions(complaint(tensorPickle(4, 0, 2, -1), {{"data/0", four}}), "counts"));
    QVERIFY(mentions(complaint(tensorPickle(4, 0, 4, 1, "../0"), {{"data/0", four}}), "lacks"));
    QVERIFY(mentions(complaint(whole, {{"data/0", four}, {"byteorder", "big"}}), "byte order"));
    QVERIFY(mentions(complaint(tensorPickle(4, 0, 2'000'000'000, 0), {{"data/0", four}}), "limit"));
}

void TestHostileDumps::editedArchives() {
    const Scratch scratch;
    const std::string whole = contentsOf(kSeeds / "npz/deflated.npz");
    const std::size_t local = whole.find("PK\3\4"), central = whole.find("PK\1\2");
    const auto edited = [&](std::size_t at, const std::string& bytes) {
        std::string copy = whole;
        copy.replace(at, bytes.size(), bytes);
        return scratch.complaint("x.npz", copy);
    };
    QCOMPARE(scratch.complaint("x.npz", whole), std::string());
    QVERIFY(!edited(central + 8, "\1").empty()); // encrypted, in the directory alone
    QVERIFY(mentions(edited(local + 6, "\1"), "contradict")); // in front of the member alone
    QVERIFY(!edited(central + 10, "\x63").empty()); // another method
    QVERIFY(!edited(central + 24, "\xff\xff\xff\x7f").empty()); // another size
    QVERIFY(!edited(local + 45, "\x55").empty()); // the packed bytes
    const std::string array = contentsOf(kSeeds / "npy/float32.npy");
    const fs::path two = scratch.root() / "two.npz";
    QVERIFY(dumps::writeZip(two, {member("one.npy", array), member("two.npy", array)}).isOk());
    std::string twice = contentsOf(two); // the second member is named like the first
    for (std::size_t at = 0; (at = twice.find("two.npy", at)) != std::string::npos; ++at)
        twice.replace(at, 3, "one");
    QVERIFY(mentions(scratch.complaint("x.npz", twice), "same name"));
    for (const char* name : {"../up.npy", "a/../../up.npy", "c:\\up.npy"}) {
        const fs::path path = scratch.root() / "path.npz";
        QVERIFY(dumps::writeZip(path, {member(name, array)}).isOk());
        QVERIFY(mentions(scratch.complaint(path), "leads elsewhere"));
    }
}

void TestHostileDumps::zipBombs() {
    const Scratch scratch;
    // Claims 65,535 and more members without having them.
    std::string end("PK\5\6\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0", 22);
    QVERIFY(!scratch.complaint("x.npz", end).empty());
    std::string end64 = "PK\6\6" + u64(44) + std::string("\x2d\0\x2d\0\0\0\0\0\0\0\0\0", 12)
        + u64(std::uint64_t(1) << 40) + u64(std::uint64_t(1) << 40) + u64(0) + u64(0);
    end64 += std::string("PK\6\7\0\0\0\0", 8) + u64(0) + std::string("\1\0\0\0", 4) + end;
    QVERIFY(mentions(scratch.complaint("x.npz", "PK\3\4" + end64), "damage")
        || mentions(scratch.complaint("x.npz", end64), "claims"));
    // A member that declares more than its packed bytes can hold.
    std::string lying = contentsOf(kSeeds / "npz/deflated.npz");
    for (const auto& [mark, at] : {std::pair("PK\3\4", 22), std::pair("PK\1\2", 24)})
        lying.replace(lying.find(mark) + static_cast<std::size_t>(at), 4, "\0\0\0\x7f", 4);
    QVERIFY(mentions(scratch.complaint("x.npz", lying), "cannot hold"));
}

void TestHostileDumps::jsonTricks() {
    const Scratch scratch;
    const auto complaint = [&](const std::string& json) {
        return scratch.complaint("x.json", json);
    };
    QVERIFY(mentions(complaint("{\"lst\":[],\"lst\":[]}"), "twice"));
    QVERIFY(mentions(complaint(std::string(100'000, '[')), "64 deep"));
    QVERIFY(mentions(complaint("{\"lst\":[]}"), "no run results"));
    QVERIFY(mentions(complaint("{\"lst\":[1],\"polygraphy_class\":\"RunResults\"}"), "runner"));
    const auto input = [&](const std::string& array, const char* type = "ndarray") {
        return complaint(
            "[{\"x\":{\"array\":\"" + array + "\",\"polygraphy_class\":\"" + type + "\"}}]");
    };
    QVERIFY(mentions(input("k05VTVBZ"), "header"));
    QVERIFY(mentions(input("k05VTVBZA"), "base64"));
    QVERIFY(mentions(input("k05VTVBZ!!!!!!!!!!!!!!!!!!!!"), "base64"));
    QVERIFY(mentions(input("gAKKCg=="), "pickle"));
    QVERIFY(mentions(input("k05VTVBZ", "os.system"), "class"));
    QVERIFY(mentions(input("\xc4\x80"), "Latin-1"));
    QVERIFY(!complaint("{\"a\": NaN}").empty());
}

void TestHostileDumps::msprobePaths() {
    const Scratch scratch;
    scratch.write("secret.npy", contentsOf(kSeeds / "npy/float32.npy"));
    const std::string secret = (scratch.root() / "secret.npy").string();
    fs::create_directories(scratch.root() / "d/dump_tensor_data");
    fs::create_symlink(secret, scratch.root() / "d/dump_tensor_data/link.npy");
    for (const std::string& name :
        {std::string("../../secret.npy"), secret, std::string("link.npy"),
            std::string("c:secret.npy"), std::string("..\\\\secret.npy"), std::string("..")}) {
        scratch.write("d/dump.json",
            R"({"task":"tensor","level":"L1","data":{"f":{"output":[null,{"dtype":"torch.float32",)"
            R"("shape":[2,3],"Max":NaN,"data_name":")"
                + name + "\"}]}}}");
        const auto dump = openDump(scratch.root() / "d");
        QVERIFY2(dump.isOk(), dump ? "" : dump.error().text().c_str());
        QCOMPARE((*dump)->entries()[0].name, std::string("f.output.1"));
        QVERIFY(!(*dump)->entries()[0].hasContents);
        QVERIFY(std::isnan(*(*dump)->entries()[0].statistics->maximum));
        QCOMPARE((*dump)->diagnostics().count("dump.path_refused"), std::int64_t(1));
    }
    scratch.write("d/dump.json", "{\"task\":\"tensor\",\"level\":\"L1\",\"data\":{\"f\"");
    QVERIFY(mentions(scratch.complaint(scratch.root() / "d") + ".", "crash"));
}

void TestHostileDumps::externalData() {
    const Scratch scratch;
    scratch.write("w.bin", std::string(8, '\0'));
    const std::string escaping = contentsOf(kSeeds / "tensorproto/external.pb"); // ../w.bin
    QVERIFY(mentions(scratch.complaint(scratch.write("d/x.pb", escaping)), "leads out"));
    std::string both = contentsOf(kSeeds / "tensorproto/raw.pb");
    const std::string packed = contentsOf(kSeeds / "tensorproto/packed.pb");
    both += packed.substr(packed.find('"'), 26); // float_data too
    QVERIFY(mentions(scratch.complaint("both.pb", both), "more than one way"));
}

void TestHostileDumps::databasesWithCode() {
    const Scratch scratch;
    const auto complaint = [&](const char* sql) {
        const fs::path path = scratch.root() / "db.sqlite";
        fs::remove(path);
        executeSql(path, sql);
        return scratch.complaint(scratch.root());
    };
    QVERIFY(mentions(complaint("create table a (x); create view tensors as select 1 as tensor_id, "
                               "'[1]' as shape, 'torch.float32' as dtype;"),
        "no table"));
    QVERIFY(mentions(complaint("create table other (x)"), "no table"));
    QVERIFY(mentions(complaint("create table tensors (tensor_id)"), "no tensor"));
    QVERIFY(mentions(
        complaint("create table tensors (tensor_id, shape text generated always as "
                  "(hex(zeroblob(100000)) || tensor_id)); insert into tensors values (1);"),
        "computes columns"));
    QVERIFY(
        mentions(complaint("create table tensors (tensor_id); insert into tensors values ('x')"),
            "no number"));
    QVERIFY(
        mentions(complaint("create table tensors (tensor_id, shape, dtype); insert into tensors "
                           "values (1, '[99999999999, 99999999999]', 'torch.float32')"),
            "damaged"));
    // A trigger does no harm: nothing is written.
    (void)complaint("create table tensors (tensor_id, shape, dtype); create trigger t after insert "
                    "on tensors begin delete from tensors; end;");
    scratch.write("db.sqlite", "SQLite format 3");
    QVERIFY(mentions(scratch.complaint(scratch.root()), "no SQLite"));
    scratch.write("db.sqlite", std::string("SQLite format 3\0", 16) + std::string(4096, '\xff'));
    QVERIFY(mentions(scratch.complaint(scratch.root()), "cannot be read"));
}

void TestHostileDumps::unusualFiles() {
    const Scratch scratch;
    QVERIFY(mentions(scratch.complaint(scratch.root() / "none"), "no such file"));
    QVERIFY(mentions(scratch.complaint("empty", ""), "no dump"));
    QVERIFY(mentions(scratch.complaint("noise", std::string(1000, '\xaa')), "no dump"));
    QVERIFY(mentions(scratch.complaint("db", "SQLite format 3\0 and more"), "no dump"));
    const fs::path pipe = scratch.root() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY(mentions(scratch.complaint(pipe), "pipe")); // and does not wait for a writer
    const Scratch empty;
    QVERIFY(mentions(empty.complaint(empty.root()), "no tensor"));
}

void TestHostileDumps::limitsHold() {
    const Scratch scratch;
    const fs::path path = scratch.root() / "x.npz";
    const auto ramp = numerics::Tensor::integers({0, 1, 2, 3});
    QVERIFY(writeNpz(path, {{"first", ramp}, {"second", ramp}}).isOk());
    QCOMPARE(scratch.complaint(path), std::string());
    const auto limited = [&](auto member, std::int64_t value) {
        DumpLimits limits;
        limits.*member = value;
        return scratch.complaint(path, limits);
    };
    QVERIFY(mentions(limited(&DumpLimits::bytes, 63), "together"));
    QVERIFY(mentions(limited(&DumpLimits::tensorBytes, 31), "32 bytes"));
    QVERIFY(mentions(limited(&DumpLimits::tensors, 1), "more than 1 tensors"));
    QVERIFY(mentions(limited(&DumpLimits::rank, 0), "1 axes"));
    QVERIFY(mentions(limited(&DumpLimits::nameBytes, 5), "6 bytes"));
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = openDump(path, {}, base::Progress(stop.get_token()));
    QVERIFY(!cancelled && cancelled.error().code == base::ErrorCode::Cancelled);
}

QTEST_APPLESS_MAIN(TestHostileDumps)
#include "test_hostile_dumps.moc"
