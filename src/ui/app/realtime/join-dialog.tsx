// Dialog to join a topic, or rejoin it with other settings.
import { useState } from 'react'
import { exactOptional, object, string } from 'valibot'
import { Button } from '../../widgets/button.tsx'
import { Check } from '../../widgets/check.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { useKeptForm } from '../use-draft.ts'
import { ChangesEditor } from './changes-editor.tsx'
import styles from './forms.module.css'
import {
  settingsProblems,
  settingsSchema,
  type TopicSettings,
  USUAL_SETTINGS,
} from '../../../services/workbench/realtime/index.ts'

export interface JoinDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The topic to configure; undefined for a new one. */
  readonly topic?: string
  readonly settings?: TopicSettings
  readonly onJoin: (topic: string, settings: TopicSettings) => void
}

const writtenSchema = object({ name: exactOptional(string()), settings: exactOptional(settingsSchema) })

/** Input is kept until it is used, even if the dialog closes or the session is lost. */
export function JoinDialog(props: JoinDialogProps) {
  const { isOpen, onClose, topic, settings: given = USUAL_SETTINGS, onJoin } = props
  const { written, save, forget } = useKeptForm('topic', topic === undefined ? [] : [topic], writtenSchema)
  const { name = '', settings: edited } = written ?? {}
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const settings = edited ?? given
  /** A problem of the last attempt is shown until its field changes. */
  const settle = (...names: readonly string[]) =>
    setProblems(all => Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name))))
  const set = (change: Partial<TopicSettings>) => {
    settle(...Object.keys(change))
    save({ ...written, settings: { ...settings, ...change } })
  }
  const close = () => {
    setProblems({})
    onClose()
  }
  const submit = () => {
    const wanted = topic ?? name.trim()
    const found = settingsProblems(wanted, settings)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    onJoin(wanted, settings)
    forget()
    close()
  }
  const title = topic === undefined ? 'Join a topic' : `Settings of ${topic}`
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close} wide>
      <Form className={styles.settings} onSubmit={submit} aria-label={title}>
        {topic === undefined ? (
          <TextField
            label="Topic"
            mono
            value={name}
            onChange={next => {
              settle('topic')
              save({ ...written, name: next })
            }}
            error={problems['topic']}
            placeholder="bridge"
            autoComplete="off"
          />
        ) : null}
        <SettingsFields settings={settings} problems={problems} onChange={set} />
        <ChangesEditor
          changes={settings.changes}
          problems={problems}
          onChange={changes => set({ changes })}
        />
        <DialogActions>
          {edited === undefined ? null : (
            <Button variant="quiet" onPress={() => save({ name })}>
              Reset
            </Button>
          )}
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary">
            {topic === undefined ? 'Join' : 'Rejoin'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

interface SettingsFieldsProps {
  readonly settings: TopicSettings
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (change: Partial<TopicSettings>) => void
}

function SettingsFields({ settings, problems, onChange }: SettingsFieldsProps) {
  return (
    <>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>Channel and messages</legend>
        <Check
          isOn={settings.private}
          onChange={isPrivate => onChange({ private: isPrivate })}
          hint="Policies decide who may read and write."
        >
          Private
        </Check>
        <Check isOn={settings.ack} onChange={ack => onChange({ ack })} hint="Used to measure latency.">
          Acknowledge messages
        </Check>
        <Check isOn={settings.self} onChange={self => onChange({ self })}>
          Receive own messages
        </Check>
        <Check
          isOn={settings.http}
          onChange={http => onChange({ http })}
          hint="Also while the socket is down."
        >
          Fall back to HTTP
        </Check>
      </fieldset>
      <div className={styles.pairLine}>
        <TextField
          label="Replay last (minutes)"
          inputMode="numeric"
          value={settings.replay}
          onChange={replay => onChange({ replay })}
          error={problems['replay']}
          placeholder="none"
          hint="Private topics only."
        />
        <TextField
          label="Presence key"
          mono
          value={settings.key}
          onChange={key => onChange({ key })}
          placeholder="your user id"
          hint="Connections with the same key count once."
        />
      </div>
      <Check isOn={settings.presence} onChange={presence => onChange({ presence })}>
        Presence
      </Check>
    </>
  )
}
