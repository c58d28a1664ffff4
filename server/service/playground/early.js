// The first requests of the page, sent together before the rest of the page is loaded.

import { client } from "./client.js";

/** The example that is there at first. */
export const FIRST = "allocation/raid";

/** Sends a request; waiting for its answer throws the error of the request. */
export function ask() {
  const asked = {
    info: client.call("ServerService/GetServerInfo", {}),
    list: client.call("ServerService/ListExamples", { page_size: 1000 }),
    example: location.hash ? undefined : client.call("ServerService/GetExample", { name: FIRST }),
  };
  for (const one of Object.values(asked)) one?.catch(() => {});
  return asked;
}

export const early = ask();
