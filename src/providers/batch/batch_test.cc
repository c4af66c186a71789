// Tests of batch interfaces: what is sent in each phase, and the meaning of replies.
#include "providers/batch/batch.h"

#include <doctest/doctest.h>

#include "providers/provider.h"
#include "text/json/json.h"

namespace assay {
namespace {

HttpReply BatchTestSaid(std::string body, int status = 200) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

const std::vector<BatchItem> kItems = {{.id = "a", .body = R"({"model":"m","n":1})"},
                                       {.id = "b", .body = R"({"model":"m","n":2})"}};

RemoteBatch OpenAi() {
  return {.base_url = "http://h/v1/",
          .url = "http://h/v1/responses",
          .epoch = 0,
          .phase = BatchPhase::kUpload,
          .id = {},
          .input_file = {},
          .output_file = {},
          .error_file = {}};
}

}  // namespace

TEST_CASE(
    "an answer in the background is begun, asked for and deleted; what is done with it keeps the query") {
  ModelRequest asked;
  asked.provider = "azure-openai";
  asked.model = "gpt-5-pro";
  HttpRequest wire;
  wire.url = "http://h/openai/responses?api-version=1";
  const BatchInterface* found = BackgroundInterfaceOf(asked, wire);
  REQUIRE(found != nullptr);
  const BatchInterface& background = *found;
  HttpRequest chat;
  chat.url = "http://h/v1/chat/completions";
  CHECK(BackgroundInterfaceOf(asked, chat) == nullptr);
  asked.provider = "xai";
  CHECK(BackgroundInterfaceOf(asked, wire) == nullptr);

  RemoteBatch batch;
  batch.base_url = "http://h";
  batch.url = wire.url;
  batch.phase = background.first;
  batch.way = kBackgroundWay;
  CHECK(InterfaceOf("azure-openai", ReadBatchDetails(BatchDetails(batch)).value()) == found);
  CHECK(InterfaceOf("nobody", batch) == nullptr);
  const std::vector<BatchItem> item = {{.id = "a", .body = R"({"model":"m","store":false,"stream":true})"}};
  const HttpRequest create = background.request(batch, item);
  CHECK(create.url == wire.url);
  CHECK(create.body == R"({"model":"m","store":true,"stream":false,"background":true})");
  REQUIRE(background.advance(batch, BatchTestSaid(R"({"id":"resp_1","status":"queued"})")));
  CHECK(batch.phase == BatchPhase::kRunning);
  CHECK(background.request(batch, {}).url == "http://h/openai/responses/resp_1?api-version=1");
  CHECK(background.cancel(batch).url == "http://h/openai/responses/resp_1/cancel?api-version=1");
  CHECK_FALSE(background.advance(batch, BatchTestSaid("{}", 404)));
  CHECK(batch.phase == BatchPhase::kRunning);
  const auto results = background.advance(batch, BatchTestSaid(R"({"id":"resp_1","status":"completed"})"));
  REQUIRE(results);
  REQUIRE(results->size() == 1);
  CHECK(results->front().reply->body.find("completed") != std::string::npos);
  CHECK(batch.phase == BatchPhase::kDone);
  batch.phase = BatchPhase::kDiscard;
  CHECK(background.request(batch, {}).method == "DELETE");

  batch.phase = BatchPhase::kCreate;
  const auto refused = background.advance(batch, BatchTestSaid(R"({"error":{"message":"no"}})", 400));
  REQUIRE(refused);
  CHECK(refused->front().reply->status == 400);
  batch.phase = BatchPhase::kRunning;
  CHECK(background.advance(batch, BatchTestSaid(R"({"status":"cancelled"})"))->empty());
}

TEST_CASE("openai: a file of lines, a batch of it, and files of results") {
  const BatchInterface& batches = *FindBatchInterface("openai");
  RemoteBatch batch = OpenAi();
  const HttpRequest upload = batches.request(batch, kItems);
  CHECK(upload.url == "http://h/v1/files");
  CHECK(upload.headers[0].value.starts_with("multipart/form-data; boundary=assay-"));
  const std::string boundary = upload.headers[0].value.substr(upload.headers[0].value.find('=') + 1);
  CHECK(upload.body.starts_with("--" + boundary + "\r\n"));
  CHECK(upload.body.ends_with("\r\n--" + boundary + "--\r\n"));
  CHECK(upload.body.find(
            "\r\n\r\n{\"custom_id\":\"a\",\"method\":\"POST\",\"url\":\"/v1/responses\",\"body\":{\"model\":"
            "\"m\",\"n\":1}}\n{\"custom_id\":\"b\",") != std::string::npos);

  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"file-1"})")));
  const HttpRequest create = batches.request(batch, kItems);
  CHECK(create.url == "http://h/v1/batches");
  CHECK(create.body == R"({"input_file_id":"file-1","endpoint":"/v1/responses","completion_window":"24h"})");
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"batch-1","status":"validating"})")));
  CHECK(batch.phase == BatchPhase::kRunning);
  CHECK(batches.request(batch, {}).url == "http://h/v1/batches/batch-1");
  CHECK(batches.request(batch, {}).method == "GET");
  CHECK(batches.cancel(batch).url == "http://h/v1/batches/batch-1/cancel");

  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"batch-1","status":"in_progress"})")));
  CHECK(batch.phase == BatchPhase::kRunning);
  REQUIRE(batches.advance(
      batch, BatchTestSaid(R"({"status":"expired","output_file_id":"file-2","error_file_id":"file-3"})")));
  CHECK(batches.request(batch, {}).url == "http://h/v1/files/file-2/content");
  CHECK(!batches.advance(batch, BatchTestSaid("{\"custom_id\":\"b\",\"respo")));  // to be fetched again
  const std::vector<BatchResult> output =
      batches
          .advance(batch, BatchTestSaid(
                              "{\"custom_id\":\"b\",\"response\":{\"status_code\":200,\"body\":{\"x\":1}}}\n"
                              "{\"custom_i\n"))
          .value();
  REQUIRE(output.size() == 1);
  CHECK(output[0].id == "b");
  CHECK(output[0].reply->body == R"({"x":1})");
  CHECK(batch.phase == BatchPhase::kErrors);
  CHECK(batches.request(batch, {}).url == "http://h/v1/files/file-3/content");
  const std::vector<BatchResult> errors =
      batches
          .advance(batch,
                   BatchTestSaid(
                       "{\"custom_id\":\"a\",\"response\":{\"status_code\":400,\"body\":{\"error\":1}}}\n"
                       "{\"custom_id\":\"c\",\"response\":null,\"error\":{\"code\":\"batch_expired\"}}\n"))
          .value();
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].reply->status == 400);
  CHECK(!errors[1].reply);
  CHECK(batch.phase == BatchPhase::kDone);
}

TEST_CASE(
    "openai: a batch that was refused has answered nothing, and a service's error leaves it as it was") {
  const BatchInterface& batches = *FindBatchInterface("openai-responses");
  RemoteBatch batch = OpenAi();
  CHECK(!batches.advance(batch, BatchTestSaid(R"({"error":{"message":"no"}})", 404)));
  CHECK(!batches.advance(batch, BatchTestSaid("{}")));
  CHECK(batch.phase == BatchPhase::kUpload);
  batch.phase = BatchPhase::kRunning;
  REQUIRE(
      batches.advance(batch, BatchTestSaid(R"({"status":"failed","errors":{"data":[{"message":"bad"}]}})")));
  CHECK(batch.phase == BatchPhase::kDone);
}

TEST_CASE("anthropic: one request with all of them, and results by type") {
  const BatchInterface& batches = *FindBatchInterface("anthropic");
  RemoteBatch batch = {.base_url = "http://h",
                       .url = "http://h/v1/messages",
                       .epoch = 0,
                       .phase = batches.first,
                       .id = {},
                       .input_file = {},
                       .output_file = {},
                       .error_file = {}};
  const HttpRequest create = batches.request(batch, kItems);
  CHECK(create.url == "http://h/v1/messages/batches");
  CHECK(create.body == R"({"requests":[{"custom_id":"a","params":{"model":"m","n":1}},)"
                       R"({"custom_id":"b","params":{"model":"m","n":2}}]})");
  CHECK(create.headers.back().name == "anthropic-version");
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"msgbatch_1","processing_status":"in_progress"})")));
  CHECK(batches.request(batch, {}).url == "http://h/v1/messages/batches/msgbatch_1");
  CHECK(batches.cancel(batch).url == "http://h/v1/messages/batches/msgbatch_1/cancel");
  // The address of the results is the batch's own, whatever the reply names.
  REQUIRE(batches.advance(batch,
                          BatchTestSaid(R"({"processing_status":"ended","results_url":"http://evil/x"})")));
  CHECK(batches.request(batch, {}).url == "http://h/v1/messages/batches/msgbatch_1/results");
  const std::vector<BatchResult> results =
      batches
          .advance(batch,
                   BatchTestSaid(
                       "{\"custom_id\":\"b\",\"result\":{\"type\":\"succeeded\",\"message\":{\"x\":1}}}\n"
                       "{\"custom_id\":\"a\",\"result\":{\"type\":\"errored\",\"error\":{\"type\":\"error\","
                       "\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}}}\n"
                       "{\"custom_id\":\"c\",\"result\":{\"type\":\"expired\"}}"))
          .value();
  REQUIRE(results.size() == 3);
  CHECK(results[0].reply->body == R"({"x":1})");
  CHECK(results[1].reply->status == 529);
  CHECK(!results[2].reply);
  CHECK(batch.phase == BatchPhase::kDone);
}

TEST_CASE("tools go into a batch as they would alone, and calls come out of it") {
  ModelRequest request;
  request.provider = "anthropic";
  request.model = "claude-haiku-4-5";
  request.messages = {{Role::kUser, "Rain?"}};
  request.tools = {{"search", "Looks it up", {}}};
  const ProviderRow& provider = *FindProvider("anthropic");
  const std::vector<BatchItem> items = {{.id = "a", .body = provider.Encode(request).value().body}};
  const BatchInterface& batches = *FindBatchInterface("anthropic");
  RemoteBatch batch = OpenAi();
  batch.url = "http://h/v1/messages";
  batch.phase = batches.first;
  CHECK(batches.request(batch, items).body.find(R"("tools":[{"name":"search")") != std::string::npos);
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"msgbatch_1","processing_status":"in_progress"})")));
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"processing_status":"ended"})")));
  const std::vector<BatchResult> results =
      batches
          .advance(batch,
                   BatchTestSaid(R"({"custom_id":"a","result":{"type":"succeeded","message":{"content":[)"
                                 R"({"type":"tool_use","id":"t","name":"search","input":{"q":"rain"}}]}}})"))
          .value();
  REQUIRE(results.size() == 1);
  REQUIRE(results[0].reply);
  const Result<ModelReply> reply = provider.decode(*results[0].reply);
  REQUIRE(reply);
  REQUIRE(reply->tool_calls.size() == 1);
  CHECK(reply->tool_calls[0].id == "t");
  CHECK(reply->tool_calls[0].arguments == R"({"q":"rain"})");
}

TEST_CASE("mistral: a file of lines, a job of one model, and files of results") {
  const BatchInterface& batches = *FindBatchInterface("mistral");
  RemoteBatch batch = OpenAi();
  batch.url = "http://h/v1/chat/completions";
  batch.phase = batches.first;
  CHECK(batches.request(batch, kItems).body.find("\r\n\r\n{\"custom_id\":\"a\",\"body\":{\"model\":\"m\"") !=
        std::string::npos);
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"file-1"})")));
  const HttpRequest create = batches.request(batch, kItems);
  CHECK(create.url == "http://h/v1/batch/jobs");
  CHECK(create.body ==
        R"({"input_files":["file-1"],"endpoint":"/v1/chat/completions","model":"m","timeout_hours":24})");
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"id":"job-1","status":"QUEUED"})")));
  CHECK(batches.request(batch, {}).url == "http://h/v1/batch/jobs/job-1");
  CHECK(batches.cancel(batch).url == "http://h/v1/batch/jobs/job-1/cancel");
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"status":"RUNNING","output_file":null})")));
  CHECK(batch.phase == BatchPhase::kRunning);
  REQUIRE(batches.advance(batch,
                          BatchTestSaid(R"({"status":"SUCCESS","output_file":"out","error_file":"bad"})")));
  CHECK(batches.request(batch, {}).url == "http://h/v1/files/out/content");
  const std::vector<BatchResult> output =
      batches
          .advance(
              batch,
              BatchTestSaid("{\"custom_id\":\"a\",\"response\":{\"status_code\":200,\"body\":{\"x\":1}}}\n"))
          .value();
  REQUIRE(output.size() == 1);
  CHECK(output[0].reply->body == R"({"x":1})");
  CHECK(batches.request(batch, {}).url == "http://h/v1/files/bad/content");
  REQUIRE(batches.advance(batch, BatchTestSaid("")));
  CHECK(batch.phase == BatchPhase::kDone);
}

TEST_CASE("google: requests and results stand in the bodies") {
  const BatchInterface& batches = *FindBatchInterface("google");
  RemoteBatch batch = OpenAi();
  batch.base_url = "http://h/v1beta";
  batch.url = "http://h/v1beta/models/gemini-2.5-flash:generateContent";
  batch.phase = batches.first;
  const HttpRequest create = batches.request(batch, kItems);
  CHECK(create.url == "http://h/v1beta/models/gemini-2.5-flash:batchGenerateContent");
  CHECK(create.body == R"({"batch":{"displayName":"assay","inputConfig":{"requests":{"requests":[)"
                       R"({"request":{"model":"m","n":1},"metadata":{"key":"a"}},)"
                       R"({"request":{"model":"m","n":2},"metadata":{"key":"b"}}]}}}})");
  CHECK(!batches.advance(batch, BatchTestSaid(R"({"error":{"code":404,"message":"no"}})", 404)));
  CHECK(!batches.advance(batch, BatchTestSaid("{}")));
  REQUIRE(batches.advance(
      batch, BatchTestSaid(R"({"name":"batches/b1","metadata":{"state":"BATCH_STATE_PENDING"}})")));
  CHECK(batches.request(batch, {}).url == "http://h/v1beta/batches/b1");
  CHECK(batches.cancel(batch).url == "http://h/v1beta/batches/b1:cancel");
  REQUIRE(batches.advance(batch, BatchTestSaid(R"({"metadata":{"state":"BATCH_STATE_RUNNING"}})")));
  CHECK(batch.phase == BatchPhase::kRunning);
  const std::vector<BatchResult> results =
      batches
          .advance(batch,
                   BatchTestSaid(R"({"done":true,"response":{"inlinedResponses":{"inlinedResponses":[)"
                                 R"({"response":{"x":1},"metadata":{"key":"b"}},)"
                                 R"({"error":{"code":8,"message":"slow"},"metadata":{"key":"a"}},)"
                                 R"({"error":{"code":1,"message":"cancelled"},"metadata":{"key":"c"}}]}}})"))
          .value();
  REQUIRE(results.size() == 3);
  CHECK(results[0].id == "b");
  CHECK(results[0].reply->body == R"({"x":1})");
  CHECK(results[1].reply->status == 429);
  CHECK(!results[2].reply);
  CHECK(batch.phase == BatchPhase::kDone);
  // One that failed as a whole has answered nothing.
  batch.phase = BatchPhase::kRunning;
  const auto failed = batches.advance(
      batch, BatchTestSaid(R"({"done":true,"error":{"code":3,"message":"bad"},"name":"batches/b1"})"));
  REQUIRE(failed);
  CHECK(failed->empty());
  CHECK(batch.phase == BatchPhase::kDone);
}

TEST_CASE("embeddings go to the interfaces that take them") {
  CHECK(FindBatchInterface("openai", RequestKind::kEmbed) == FindBatchInterface("openai"));
  CHECK(FindBatchInterface("google", RequestKind::kEmbed) == nullptr);
  CHECK(FindBatchInterface("openai", RequestKind::kHttp) == nullptr);
  ModelRequest custom;
  custom.provider = "openai";
  custom.custom = Value(Map());
  CHECK(BatchInterfaceOf(custom) == nullptr);
}

TEST_CASE("what is stored of a batch comes back; providers without an interface have none") {
  RemoteBatch batch = OpenAi();
  batch.phase = BatchPhase::kRunning;
  batch.input_file = "file-1";
  batch.epoch = 3;
  const RemoteBatch read = ReadBatchDetails(BatchDetails(batch)).value();
  CHECK(read.url == batch.url);
  CHECK(read.base_url == batch.base_url);
  CHECK(read.phase == BatchPhase::kRunning);
  CHECK(read.input_file == "file-1");
  CHECK(read.epoch == 3);
  CHECK(!ReadBatchDetails("{}"));
  CHECK(!ReadBatchDetails("no"));
  CHECK(FindBatchInterface("echo") == nullptr);
}

}  // namespace assay
