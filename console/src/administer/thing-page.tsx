import type { ComponentChildren } from 'preact';
import { Card } from '../components/card.tsx';
import { Actions } from '../components/actions.tsx';
import { Tag } from '../components/badge.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { Fields } from '../components/values.tsx';
import type { RequestState } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';

/** What is seen of a thing of the platform. */
interface Thing {
  readonly name: string;
  readonly status: string;
  readonly actions: ComponentChildren;
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  readonly children?: ComponentChildren;
}

interface ThingPageProps<T> {
  /** The list that the thing is in: the first part of its address, and its title. */
  readonly list: readonly [path: string, title: string];
  /** The thing; null where there is none. */
  readonly state: RequestState<T | null>;
  readonly show: (thing: T) => Thing;
}

/** A thing of the platform, as it is now, and what is done with it. */
export function ThingPage<T>({ list: [path, title], state, show }: ThingPageProps<T>) {
  const thing = state.value === undefined || state.value === null ? undefined : show(state.value);
  return (
    <article class="stack wide">
      <header class="stack tight">
        <p class="trail small quiet">
          <a href={hrefOf([path])}>{title}</a>
        </p>
        <div class="row heading">
          <h1>
            <bdi>{thing?.name ?? title}</bdi>
          </h1>
          {thing !== undefined && (
            <>
              <Tag name={thing.status} />
              <Actions>{thing.actions}</Actions>
            </>
          )}
        </div>
      </header>
      <LoadStatus state={state} />
      {state.value === null && <p class="notice">{texts.notVisible}</p>}
      {thing !== undefined && (
        <Card>
          <Fields fields={thing.facts} />
        </Card>
      )}
      {thing?.children}
    </article>
  );
}
