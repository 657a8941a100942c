// Editor of a call's body: JSON, text, a form or a file.
import { FileUp, WrapText } from 'lucide-react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Segments } from '../../widgets/segments.tsx'
import type { SelectOption } from '../../widgets/select.tsx'
import { indented } from '../../../services/workbench/text/index.ts'
import { BODY_FILE, type BodyKind } from '../../../services/workbench/functions/index.ts'
import type { RequestFormProps } from './request-form.tsx'
import styles from './functions.module.css'
import { PairsEditor } from './pairs-editor.tsx'
import { formatSize } from '../../../machines/index.ts'
import { JsonText } from '../json/json-text.tsx'

const KINDS: readonly SelectOption<BodyKind>[] = [
  { id: 'json', label: 'JSON' },
  { id: 'text', label: 'Text' },
  { id: 'form', label: 'Form' },
  { id: 'file', label: 'File' },
  { id: 'none', label: 'None' },
]

/** The input of each type is kept while another type is selected. */
export function BodyEditor({ store, state }: RequestFormProps) {
  const { draft } = state
  return (
    <div className={styles.bodyEditor}>
      <div className={styles.kindLine}>
        <Segments
          label="Body type"
          options={KINDS}
          value={draft.kind}
          onChange={kind => store.edit({ kind })}
        />
        {draft.kind === 'json' ? (
          <Button
            size="s"
            variant="quiet"
            icon={<WrapText size={13} aria-hidden />}
            isDisabled={indented(draft.json) === undefined}
            onPress={() => store.edit({ json: indented(draft.json) ?? draft.json })}
          >
            Format
          </Button>
        ) : null}
      </div>
      <Editor store={store} state={state} />
    </div>
  )
}

function Editor({ store, state: { draft, files, problems } }: RequestFormProps) {
  switch (draft.kind) {
    case 'none':
      return null
    case 'json':
      return (
        <JsonField
          label="JSON body"
          text={draft.json}
          onChange={json => store.edit({ json })}
          error={problems.body}
        />
      )
    case 'text':
      return (
        <TextArea
          label="Text body"
          hideLabel
          mono
          rows={9}
          value={draft.text}
          onChange={text => store.edit({ text })}
          error={problems.body}
          spellCheck="false"
        />
      )
    case 'form':
      return (
        <PairsEditor
          label="Part"
          pairs={draft.form}
          onChange={form => store.edit({ form })}
          error={problems.body}
          onFile={store.choose}
          hint="Sent as multipart/form-data."
        />
      )
    case 'file': {
      const file = files[BODY_FILE]
      return (
        <div className={styles.fileLine}>
          <FileTrigger
            onSelect={list => {
              const chosen = list?.[0]
              if (!chosen) return
              store.choose(BODY_FILE, chosen)
              store.edit({ fileName: chosen.name })
            }}
          >
            <Button icon={<FileUp size={14} aria-hidden />}>Choose a file</Button>
          </FileTrigger>
          <span>{file ? `${file.name} · ${formatSize(file.size)}` : fileWords(draft.fileName)}</span>
          {problems.body === undefined ? null : (
            <p role="alert" className={styles.problem}>
              {problems.body}
            </p>
          )}
        </div>
      )
    }
  }
}

const fileWords = (name: string) =>
  name === '' ? 'No file chosen.' : `${name} was chosen; files are not stored.`

interface JsonFieldProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
}

/** The JSON body field with its error. */
function JsonField({ error, ...field }: JsonFieldProps) {
  return (
    <div className={styles.jsonField}>
      <JsonText {...field} isInvalid={error !== undefined} className={styles.code} />
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  )
}
