// The first requests of the page, sent before its other modules are loaded.

import { client } from "./client.js";

/** The example that the page opens first. */
export const FIRST = "allocation/raid";

/** Sends the first requests. Awaiting one throws its error. */
export function firstCalls() {
  const calls = {
    info: client.call("ServerService/GetServerInfo", {}),
    list: client.call("ServerService/ListExamples", { page_size: 1000 }),
    example: location.hash ? undefined : client.call("ServerService/GetExample", { name: FIRST }),
  };
  for (const call of Object.values(calls)) call?.catch(() => {});
  return calls;
}

export const startup = firstCalls();
