// The effects that run: what each has said before, to be said again by hand.
import { MessageSquareQuote } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import { answersOf, type SaidEvent } from './answers.ts'
import type { Driven } from './driven.ts'
import { parsed } from './payload.ts'
import type { Drive } from './use-drive.ts'

export function EffectsTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const effects = drive.control.actors().filter(({ kind }) => kind !== 'machine')
  if (effects.length === 0) {
    return (
      <EmptyState icon={<MessageSquareQuote size={20} aria-hidden />} title="No effect runs">
        Requests, sockets, timers of the app and whatever else touches the world stand here while they run.
      </EmptyState>
    )
  }
  return (
    <div className={styles.pane}>
      <p className={styles.faint}>
        {place.isSandbox
          ? 'In the sandbox no effect says anything by itself: have one speak, in words that were recorded or in your own.'
          : 'What you have an effect say enters the system as if it had come from the world.'}
      </p>
      <ul className={styles.list} aria-label="Effects">
        {effects.map(({ path, src }) => (
          <Effect key={path} path={path} answers={answersOf(place.examples, src)} control={drive.control} />
        ))}
      </ul>
    </div>
  )
}

interface EffectProps {
  readonly path: string
  readonly answers: readonly SaidEvent[]
  readonly control: Driven
}

function Effect({ path, answers, control }: EffectProps) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  const say = () => {
    const read = parsed(text ?? '')
    const event = 'value' in read ? read.value : undefined
    const isEvent = typeof event === 'object' && event !== null && 'type' in event
    if ('error' in read) return setError(read.error)
    if (!isEvent || typeof event.type !== 'string')
      return setError('It needs a type, e.g. {"type": "send.answered"}')
    const said = Promise.resolve(control.say(path, event as SaidEvent))
    void said.then(isSaid => setError(isSaid ? undefined : 'This effect cannot say that'))
  }
  return (
    <li className={styles.effect}>
      <span className={styles.who}>{path}</span>
      <div className={styles.events} role="group" aria-label={`What ${path} may say`}>
        {answers.map(answer => (
          <button
            key={answer.type}
            type="button"
            className={styles.event}
            title="Into the field, to be changed and said"
            onClick={() => setText(JSON.stringify(answer, undefined, 2))}
          >
            {answer.type}
          </button>
        ))}
        {text === undefined ? (
          <button type="button" className={styles.event} onClick={() => setText('{ "type": "" }')}>
            something else…
          </button>
        ) : null}
      </div>
      {text === undefined ? null : (
        <>
          <TextArea
            label={`What ${path} says`}
            hideLabel
            mono
            rows={4}
            value={text}
            onChange={setText}
            error={error}
          />
          <div className={styles.controls}>
            <Button size="s" onPress={say}>
              Say it
            </Button>
            <Button size="s" variant="quiet" onPress={() => setText(undefined)}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </li>
  )
}
