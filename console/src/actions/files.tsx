import { useId, useState } from 'preact/hooks';
import { texts } from '../texts.ts';
import type { Value } from './schema.ts';

/** A document of a claim, as the API takes it. */
interface FileValue {
  readonly document_name: string;
  readonly evidence_type: string | null;
  /** Base64. */
  readonly blob: string;
}

interface FilesProps {
  readonly value: Value;
  readonly maxItems?: number | undefined;
  readonly isFixed: boolean;
  readonly onValue: (value: Value) => void;
}

/** Documents, chosen or dropped. */
export function Files({ value, maxItems = 100, isFixed, onValue }: FilesProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const files = Array.isArray(value) ? (value as readonly FileValue[]) : [];
  const add = async (chosen: FileList | null | undefined): Promise<void> => {
    const read = await Promise.all(Array.from(chosen ?? [], readFile));
    onValue([...files, ...read].slice(0, maxItems));
  };
  return (
    <>
      {!isFixed && (
        <label
          htmlFor={id}
          class={`drop stack tight ${isOver ? 'over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void add(event.dataTransfer?.files);
          }}
        >
          {texts.dropFiles}
          <input
            id={id}
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              void add(currentTarget.files).then(() => (currentTarget.value = ''));
            }}
          />
        </label>
      )}
      <ul>
        {files.map(({ document_name, blob }, index) => (
          <li key={`${index} ${document_name}`}>
            <bdi>{document_name}</bdi> <span class="quiet">{texts.bytes(Math.floor((blob.length * 3) / 4))}</span>
            {!isFixed && (
              <button
                type="button"
                class="quiet"
                aria-label={`${texts.remove} ${document_name}`}
                onClick={() => onValue(files.filter((_, place) => place !== index))}
              >
                {texts.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

async function readFile(file: File): Promise<FileValue> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(texts.unreadableFile(file.name))));
    reader.readAsDataURL(file);
  });
  const blob = address.slice(address.indexOf(',') + 1);
  return { document_name: file.name, evidence_type: file.name.split('.').at(-1) ?? null, blob };
}
