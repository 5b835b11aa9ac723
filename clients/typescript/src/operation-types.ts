import type { paths } from './api-types.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of the API that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type Operation<P extends PathOf<M>, M extends Method> = paths[P][M];

/** A boolean of a query is text in a URL. */
type WithBooleans<T> = {
  [K in keyof T]: NonNullable<T[K]> extends 'true' | 'false' ? boolean | undefined : T[K] | undefined;
};

type Parameters<O, In extends 'query' | 'path'> = O extends { parameters: infer All }
  ? In extends keyof All
    ? NonNullable<All[In]>
    : never
  : never;

/** The query of a request. A parameter that is undefined is left out. */
export type Query<P extends PathOf<M>, M extends Method = 'get'> = WithBooleans<Parameters<Operation<P, M>, 'query'>>;

/** The parameters in a path. */
export type PathParameters<P extends PathOf<M>, M extends Method> = [Parameters<Operation<P, M>, 'path'>] extends [
  never,
]
  ? Readonly<Record<string, never>>
  : Parameters<Operation<P, M>, 'path'>;

/** The body of a command, as JSON. */
export type Body<P extends PathOf<M>, M extends Method = 'post'> =
  Operation<P, M> extends { requestBody?: { content: { 'application/json': infer Json } } } ? Json : never;

/** The body of a command with files. */
export type Form<P extends PathOf<'post'>> =
  Operation<P, 'post'> extends { requestBody: { content: { 'multipart/form-data': infer Fields } } } ? Fields : never;

type Contents<O> = O extends { responses: infer All }
  ? { [S in keyof All & (200 | 201 | 202)]: All[S] extends { content: infer C } ? C : never }[keyof All &
      (200 | 201 | 202)]
  : never;

/** The body of a response. */
export type ResponseBody<P extends PathOf<M>, M extends Method> =
  Contents<Operation<P, M>> extends { 'application/json': infer Json } ? Json : never;

/** An item of a list, whose pages may hold it in an array. */
export type Item<P extends PathOf<'get'>> =
  ResponseBody<P, 'get'> extends { results: (infer One)[] } ? Innermost<One> : never;

type Innermost<T> = T extends (infer One)[] ? One : T;
