// The form for a new breakpoint.
import { useState } from 'react'
import type { BreakOn } from '../../../services/control/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextArea, TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { Form } from '../../widgets/form.tsx'
import { messageOf } from '../text.ts'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import { assertionOf, statePaths, transitionNames } from './new-breakpoint.ts'
import type { Drive } from './use-drive.ts'

const KINDS = [
  { id: 'state', label: 'a state is entered' },
  { id: 'transition', label: 'a transition is taken' },
  { id: 'event', label: 'an event arrives' },
  { id: 'assertion', label: 'an assertion fails' },
]

const EXAMPLE = '{ "never": { "state": "failed" } }'

export function BreakpointForm({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const [kind, setKind] = useState('state')
  const [value, setValue] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const entry = place.actors[place.actor]
  const chart = place.charts[entry?.src ?? '']
  const choose = (next: string) => {
    setKind(next)
    setValue(next === 'assertion' ? EXAMPLE : '')
    setError(undefined)
  }
  const submit = () => {
    const made = breakOf(kind, value.trim(), name, entry?.path)
    setError('error' in made ? made.error : undefined)
    if (!('where' in made)) return
    drive.control.breakOn(made.where).catch((reason: unknown) => setError(messageOf(reason)))
  }
  return (
    <Form className={styles.new} onSubmit={submit} aria-label="New breakpoint">
      <Select label="Pause when" options={KINDS} value={kind} onChange={choose} />
      {kind === 'assertion' ? (
        <>
          <TextField label="Name" value={name} onChange={setName} placeholder="name of the check" />
          <TextArea
            label="Assertion"
            labelNote="JSON"
            mono
            rows={4}
            value={value}
            onChange={setValue}
            error={error}
          />
        </>
      ) : kind === 'event' ? (
        <TextField
          label={`Event to ${entry?.path ?? 'any actor'}`}
          mono
          value={value}
          onChange={setValue}
          placeholder="refresh.*"
          error={error}
        />
      ) : statePaths(chart).length === 0 ? (
        <p className={styles.faint}>
          {entry ? `${entry.path} has no states. ` : ''}Select a machine in the actor list to choose one of
          its {kind}s.
        </p>
      ) : (
        <Select
          label={`In ${entry?.path ?? 'the selected actor'}`}
          options={
            kind === 'transition'
              ? transitionNames(chart)
              : statePaths(chart).map(path => ({ id: path, label: path }))
          }
          value={value === '' ? null : value}
          onChange={setValue}
          error={error}
        />
      )}
      <Button type="submit" size="s">
        Add breakpoint
      </Button>
    </Form>
  )
}

function breakOf(
  kind: string,
  value: string,
  name: string,
  actor: string | undefined,
): { readonly where: BreakOn } | { readonly error: string } {
  if (kind === 'assertion') return assertionOf(name, value)
  if (value === '') return { error: kind === 'event' ? 'Enter an event type' : `Choose a ${kind}` }
  const about = actor === undefined ? {} : { actor }
  if (kind === 'event') return { where: { on: 'event', ...about, event: value } }
  if (kind === 'transition') return { where: { on: 'transition', ...about, transition: value } }
  return { where: { on: 'state', ...about, state: value } }
}
