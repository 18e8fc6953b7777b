import assert from "node:assert/strict";
import { test } from "node:test";
import { Restarts } from "./restarts";

void test("a server that keeps ending is started later each time, and then not any more", () => {
  const r = new Restarts();
  const waits = [0, 1, 2, 3, 4, 5].map((i) => r.next(i * 1000));
  assert.deepEqual(waits, [200, 1000, 3000, 10_000, 30_000, undefined]);
  r.forget();
  assert.equal(r.next(6000), 200);
});

void test("one that ran for long begins anew", () => {
  const r = new Restarts();
  r.next(0);
  r.next(1000);
  assert.equal(r.next(500_000), 200);
});
