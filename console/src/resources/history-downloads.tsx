import { DownloadButton } from '../components/download-button.tsx';
import type { HistoryDownload } from '../requests/read-all.ts';
import { texts } from '../texts.ts';

export interface HistoryDownloadsProps {
  /** Number or name of the resource, for the names of the files. */
  readonly name: string;
  readonly download: HistoryDownload;
}

/** Saves the whole history. */
export function HistoryDownloads({ name, download }: HistoryDownloadsProps) {
  return (
    <div class="row">
      <DownloadButton
        label={texts.historyAs('CSV')}
        file={`${name} history.csv`}
        read={async () => await download('text/csv')}
      />
      <DownloadButton
        label={texts.historyAs('JSON Lines')}
        file={`${name} history.jsonl`}
        read={async () => await download('application/x-ndjson')}
      />
    </div>
  );
}
