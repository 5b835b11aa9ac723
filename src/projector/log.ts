/** The logger of the projector. No field or message contains personal data. */
export interface ProjectorLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
