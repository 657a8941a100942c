// The message composer: text, a JSON payload with any event name, or binary data.
import { Paperclip, SendHorizontal } from 'lucide-react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Form } from '../../widgets/form.tsx'
import { Segments } from '../../widgets/segments.tsx'
import type { SelectOption } from '../../widgets/select.tsx'
import { useCtrlEnter } from '../commands/use-ctrl-enter.ts'
import styles from './realtime.module.css'
import type { TopicDraft, TopicState, TopicStore } from '../../../services/workbench/realtime/index.ts'

export interface ComposerProps {
  readonly store: TopicStore
  readonly state: TopicState
}

const MODES: readonly SelectOption<TopicDraft['mode']>[] = [
  { id: 'words', label: 'Text' },
  { id: 'json', label: 'JSON' },
  { id: 'bytes', label: 'Binary' },
]
/** Most backends refuse larger messages. */
const MOST_BYTES = 250_000

/** The draft is kept while the topic is not joined, and across pages and reloads. */
export function Composer({ store, state }: ComposerProps) {
  const { draft, status, problem, settings } = state
  const canSend = status.phase === 'joined' || settings.http
  const submit = () => {
    if (canSend) store.sendDraft()
  }
  const form = useCtrlEnter(submit)
  return (
    <Form
      ref={form}
      className={styles.composer}
      onSubmit={submit}
      aria-label="Write a message"
      data-mode={draft.mode}
    >
      <Segments label="Format" options={MODES} value={draft.mode} onChange={mode => store.edit({ mode })} />
      <Fields store={store} state={state} />
      <Button
        type="submit"
        variant="primary"
        isDisabled={!canSend}
        icon={<SendHorizontal size={14} aria-hidden />}
      >
        Send
      </Button>
      {problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </Form>
  )
}

function Fields({ store, state: { draft, status, settings } }: ComposerProps) {
  if (draft.mode === 'words')
    return (
      <TextField
        label="Message"
        hideLabel
        value={draft.words}
        onChange={text => store.edit({ words: text })}
        placeholder={
          status.phase === 'joined' || settings.http
            ? 'Message to everyone here'
            : 'The draft is kept; send it after the topic is joined'
        }
        autoComplete="off"
      />
    )
  return (
    <div className={styles.payloadFields}>
      <TextField
        label="Event"
        hideLabel
        mono
        value={draft.event}
        onChange={event => store.edit({ event })}
        placeholder="event"
        autoComplete="off"
      />
      {draft.mode === 'json' ? (
        <TextArea
          label="Payload"
          hideLabel
          mono
          rows={3}
          value={draft.json}
          onChange={json => store.edit({ json })}
          spellCheck="false"
        />
      ) : (
        <BytesField store={store} hex={draft.hex} />
      )}
    </div>
  )
}

function BytesField({ store, hex }: { readonly store: TopicStore; readonly hex: string }) {
  const take = async (file: File) => {
    const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
    store.edit({ hex: Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' ') })
  }
  return (
    <div className={styles.bytes}>
      <TextArea
        label="Binary data in hexadecimal"
        hideLabel
        mono
        rows={3}
        value={hex}
        onChange={text => store.edit({ hex: text })}
        placeholder="0a ff 1c …"
        spellCheck="false"
      />
      <FileTrigger
        onSelect={list => {
          const file = list?.[0]
          if (file) void take(file)
        }}
      >
        <Button size="s" icon={<Paperclip size={13} aria-hidden />}>
          From a file
        </Button>
      </FileTrigger>
    </div>
  )
}
