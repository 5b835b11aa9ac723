/** The text of `surety --help`. */
export const HELP = `Surety, an event-sourced insurance service.

surety serve [--sample] [--accept-clock]
    Runs the service. With --sample and an empty event store, it creates sample data and prints API keys for it.
    A process with all roles sets up what is missing; separate processes for roles need surety setup first.
    If the clock is more than 5 minutes earlier or more than 31 days later than at the last run, the scheduler pauses: it neither
    activates nor renews policies. --accept-clock accepts the current time once, in a process with the role scheduler.

surety command NAME FILE [--idempotency-key KEY] [--url URL [--key-file FILE]]
    Runs an administrator's command with the JSON body in FILE (- for standard input) and prints the response.
    Without --url it uses the data folder, and no service may use the folder at the same time.

surety import --environment ID --provider NAME [--product-type Auto] [--currency NGN]
              POLICIES [CLAIMS] [--refused DIR] [--json] [--strict] [--url URL [--key-file FILE]]
    Imports a book from CSV files (.gz too). Rows that are refused go to <file name>.refused.csv in DIR, by default the current
    folder. Importing the same files again imports nothing, and an interrupted import can be continued by running it again. With
    --strict it exits with 1 if a row is refused; --json prints one object instead of a table.

surety setup [--from start|end|POSITION] [--partitions N] [--replication N] [--drop-old-versions] [--change-secret]
             [--change-stores]
surety setup --create-topics --from start|POSITION
    Creates the data folder and its contents, or on servers the topics, the indexes and the initial checkpoints of all
    processes, and exits. Repeating it changes nothing. On an empty log, mails and public events start with the first event; on a
    log with events, --from selects those to send: all, none, or those after the position. Topics get 6 partitions or as many as
    the existing topics have, and one replica per broker, at most 3, unless the options say otherwise. --drop-old-versions deletes
    the read models of other versions of the projections; use it at the end of an upgrade.
    The records store where the stores are and which secret signs the links in mails (SURETY_SECRET, or the secret that the first
    service creates); a process with other settings does not start. --change-secret sets another secret; links that were sent
    stop working. --change-stores accepts the stores of the current settings. Before it, stop every process; the log in the new
    stores must be the same one (see "Change the stores" in the runbook).
    A missing public topic is created only while the relay has sent nothing. Otherwise --create-topics first resets the relay,
    like surety replay, and then creates the topics. No relay may run at the same time.

surety replay --from start|POSITION
    Makes the relay send public events again: all, or those after the position. No relay may run at the same time.

surety rebuild [--collections policies,claims] [--json] [--url URL [--key-file FILE]]
    Rebuilds read models from the event log beside the documents that are served, and then serves the new ones, all at once.
    It is refused, with exit code 1, if the log is damaged or if documents that are served would be parked; then nothing changes.
    Without --collections it rebuilds all. It waits for the end, also of a rebuild that runs already. With --url an interruption
    ends the waiting, not the rebuild.
    Without --url it uses the data folder, and no service may use the folder at the same time.

surety verify [--json] [--url URL [--key-file FILE]]
    Reads every event of the log, and names each that was altered, is missing or cannot be read, with its position. With a sound
    log, rebuilds every document of the read models from it and compares it with the stored one, byte for byte, and the content
    of every claim document with its SHA-256. Prints the first 1,000 faults of the log, or the first 1,000 differences with their
    JSON Pointers and the first 1,000 parked documents, and how many there are, and then exits with 1. It needs a temporary file
    of about the size of the read models (in SQLITE_TMPDIR, TMPDIR or /var/tmp).
    With --url a running service verifies its own read models in a separate thread and goes on serving; the key of an auditor works
    too. Without --url it uses the data folder, and no service may use the folder at the same time; on servers, services may run.

surety backup DIR
    Copies the event log, the records and the secrets of the data folder to DIR, a new or an empty folder, as they are at one
    moment, also while a service runs. Read models are left out: the first start on the copy rebuilds them. It copies no servers;
    see the runbook.

surety migrate [--json]
    Moves the data folder to the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS: log, records, checkpoints. Run surety
    setup on the servers first; they must be empty otherwise. It builds the read models on the servers and compares them with
    those of the folder; it exits with 1 if they differ. After an interruption, run it again to continue. No service may run at
    the same time. At the end it writes the file MIGRATED to the folder; while this file exists, nothing uses the folder.

surety --help, surety --version

Settings are environment variables: HOST, PORT, PUBLIC_URL, SURETY_DATA, SURETY_ADMIN_KEY, SURETY_ROLES, SURETY_SECRET,
SURETY_SAMPLE, SUPPORT_EMAIL, RATE_LIMIT, MAX_CONNECTIONS, TRUST_PROXY, SMTP_URL, MAIL_FROM, EVENTSTORE_URL, MONGODB_URL,
KAFKA_BROKERS, KAFKA_SSL, KAFKA_SASL, KAFKA_USERNAME, KAFKA_PASSWORD, LOG_LEVEL; docs/configuration.md describes each.
Without the address of a server the embedded store is used; SURETY_ROLES may omit roles only if all stores are servers.
With --url the administrator's key comes from --key-file (a file with the key and nothing else), SURETY_ADMIN_KEY or the data
folder.

Exit codes: 0 success, 1 failure, 2 invalid command line, 130 interrupted.
`;
