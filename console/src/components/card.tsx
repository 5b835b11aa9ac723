import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly title?: ComponentChildren;
  /** At the other end of the heading. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page. */
export function Card({ title, aside, children }: CardProps) {
  return (
    <section class="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          <span class="push">{aside}</span>
        </header>
      )}
      <div class="body stack">{children}</div>
    </section>
  );
}
