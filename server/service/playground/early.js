// Everything that is asked at first, at once and before the rest of the page has come.

import { client } from "./client.js";

/** The example that is there at first. */
export const FIRST = "allocation/raid";

/** Asks; whoever waits for an answer is told why it failed. */
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
