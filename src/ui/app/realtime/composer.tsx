// The line in which a message is written.
import { SendHorizontal } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import styles from './realtime.module.css'

export interface ComposerProps {
  readonly isDisabled: boolean
  /** `at` is the ISO time of sending. */
  readonly onSend: (text: string, at: string) => Promise<void>
}

/** What was typed stays while the topic is not joined. */
export function Composer({ isDisabled, onSend }: ComposerProps) {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const said = text.trim()
    if (said === '' || isDisabled) return
    setText('')
    // The event knows when it happened, in milliseconds since the page began to load.
    void onSend(said, new Date(performance.timeOrigin + event.timeStamp).toISOString())
  }
  return (
    <form className={styles.composer} onSubmit={send} aria-label="Write a message">
      <TextField
        label="Message"
        hideLabel
        value={text}
        onChange={setText}
        placeholder={isDisabled ? 'You can send once the topic is joined' : 'Message to everyone here'}
        autoComplete="off"
      />
      <Button
        type="submit"
        variant="primary"
        isDisabled={isDisabled || text.trim() === ''}
        icon={<SendHorizontal size={14} aria-hidden />}
      >
        Send
      </Button>
    </form>
  )
}
