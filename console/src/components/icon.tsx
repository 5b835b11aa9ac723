/** Paths of the icons, in a square of 16 units. */
const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  claim: 'M4 1.8h5.5L12.5 5v9.2H4zM9.3 1.8V5h3.2M6.3 8h4M6.3 10.8h4',
  policy: 'M8 1.8 13.3 4v4c0 3-2.2 5.2-5.3 6.3C4.9 13.2 2.7 11 2.7 8V4zM5.7 8.2l1.7 1.6 3-3.3',
  person: 'M5.4 5.3a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0M2.8 13.7c.5-2.8 2.5-4.2 5.2-4.2s4.7 1.4 5.2 4.2',
  renew: 'M13.2 6.5A5.4 5.4 0 0 0 3.6 5M2.8 9.5A5.4 5.4 0 0 0 12.4 11M13.3 3v3.5H9.8M2.7 13V9.5h3.5',
  list: 'M2.8 4h10.4M2.8 8h10.4M2.8 12h6.4',
  shop: 'M2.7 6.5V14h10.6V6.5M1.8 6.5 3 2.2h10l1.2 4.3zM6.5 14v-4h3v4',
  bank: 'M2 6.5 8 2.5l6 4zM3 13.5h10M4 6.5v7M8 6.5v7M12 6.5v7',
  box: 'M2.5 4.8 8 2l5.5 2.8v6.4L8 14l-5.5-2.8zM2.5 4.8 8 7.6l5.5-2.8M8 7.6V14',
  key: 'M2.5 10.7a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0M7.4 8.6l5.8-5.8M10.6 5.4l2 2',
  chart: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  pulse: 'M1.8 8.5h3l2-5 2.6 9 1.9-4h3',
  find: 'M2.7 7a4.3 4.3 0 1 0 8.6 0a4.3 4.3 0 1 0-8.6 0M10.3 10.3l3.4 3.4',
  clock: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M8 4.5V8l2.3 1.6',
  check: 'm3 8.5 3.2 3.2L13 5',
  mail: 'M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5',
  warn: 'M8 2.3 14.3 13.3H1.7zM8 6.5v3M8 11.5h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
