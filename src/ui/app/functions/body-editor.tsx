// What a call carries: JSON, text, a form or a file.
import { FileUp, WrapText } from 'lucide-react'
import { FileTrigger, Radio, RadioGroup } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { TextArea } from '../../widgets/field.tsx'
import { indented } from '../data/editors/json-format.ts'
import { formatSize } from '../format.ts'
import { BODY_FILE, BODY_KINDS, type BodyKind } from './call-draft.ts'
import type { RequestFormProps } from './request-form.tsx'
import styles from './functions.module.css'
import { JsonField } from './json-field.tsx'
import { PairsEditor } from './pairs-editor.tsx'

const TITLES: Readonly<Record<BodyKind, string>> = {
  json: 'JSON',
  text: 'Text',
  form: 'Form',
  file: 'File',
  none: 'None',
}

const isKind = (text: string): text is BodyKind => BODY_KINDS.some(kind => kind === text)

/** What was written of each kind stays while another is chosen. */
export function BodyEditor({ desk, state }: RequestFormProps) {
  const { draft } = state
  return (
    <div className={styles.bodyEditor}>
      <div className={styles.kindLine}>
        <RadioGroup
          aria-label="Kind of body"
          orientation="horizontal"
          value={draft.kind}
          onChange={kind => {
            if (isKind(kind)) desk.edit({ kind })
          }}
          className={cx(styles.kinds)}
        >
          {BODY_KINDS.toSorted((a, b) => Number(a === 'none') - Number(b === 'none')).map(kind => (
            <Radio key={kind} value={kind} className={cx(styles.kind)}>
              {TITLES[kind]}
            </Radio>
          ))}
        </RadioGroup>
        {draft.kind === 'json' ? (
          <Button
            size="s"
            variant="quiet"
            icon={<WrapText size={13} aria-hidden />}
            isDisabled={indented(draft.json) === undefined}
            onPress={() => desk.edit({ json: indented(draft.json) ?? draft.json })}
          >
            Format
          </Button>
        ) : null}
      </div>
      <Editor desk={desk} state={state} />
    </div>
  )
}

function Editor({ desk, state: { draft, files, problems } }: RequestFormProps) {
  switch (draft.kind) {
    case 'none':
      return null
    case 'json':
      return (
        <JsonField
          label="JSON body"
          text={draft.json}
          onChange={json => desk.edit({ json })}
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
          onChange={text => desk.edit({ text })}
          error={problems.body}
          spellCheck="false"
        />
      )
    case 'form':
      return (
        <PairsEditor
          label="Part"
          pairs={draft.form}
          onChange={form => desk.edit({ form })}
          error={problems.body}
          onFile={desk.choose}
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
              desk.choose(BODY_FILE, chosen)
              desk.edit({ fileName: chosen.name })
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

const fileWords = (name: string) => (name === '' ? 'None yet.' : `${name} was chosen; files are not kept.`)
