/** The methods of the contract by their names, as in `AllocationService/AllocateTasks`, with the types of their messages. */

import type { components, paths } from "./contract.js";

/** The messages and enums of the contract, by name. */
export type Messages = components["schemas"];

type Path = `/stratagem.v1.${string}`;
type Named<P> = P extends `/stratagem.v1.${infer Name}` ? Name : never;
type Post<M extends Method> = paths[`/stratagem.v1.${M}` & keyof paths]["post"];
type Content<M extends Method> = Post<M>["responses"][200]["content"];
type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";
type Member<M extends Method> = M extends `${string}/${infer Name}`
  ? Snake<Name extends `Stream${infer Tail}` ? Tail : Name> extends `_${infer Key}`
    ? Key
    : never
  : never;

/** Any method. */
export type Method = Named<keyof paths & Path>;

/** One request, one response. */
export type Unary = { [M in Method]: Content<M> extends { "application/json": unknown } ? M : never }[Method];

/** One request, a stream of responses. */
export type Streaming = Exclude<Method, Unary>;

/** A stream of better and better plans; the last response has the report. */
export type Search = { [M in Streaming]: Response<M> extends { report?: Messages["SolveReport"] } ? M : never }[Streaming];

/** A method whose requests can be jobs. */
export type Searching = { [M in Method]: Member<M> extends keyof Messages["JobRequest"] ? M : never }[Method];

/** The request of a method. */
export type Request<M extends Method> = NonNullable<Post<M>["requestBody"]>["content"]["application/json"];

/** The response of a method. */
export type Response<M extends Method> =
  Content<M> extends { "application/json": infer Whole }
    ? Whole
    : Content<M> extends { "application/x-ndjson": { result: infer Line } | { error: unknown } }
      ? Line
      : never;
