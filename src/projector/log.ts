/** What the projector needs of a logger; pino fits. Nothing it is given holds a personal datum. */
export interface ProjectorLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
