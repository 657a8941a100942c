// The Realtime section: the topic in the address, or the choice of one.
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { useTitle } from '../hooks.ts'
import styles from './realtime.module.css'
import { TopicView } from './topic-view.tsx'

/** The topic that is offered first; on the embedded backend others meet there. */
const FIRST_TOPIC = 'bridge'

/** A field and a button that lead to another topic. */
function OtherTopic() {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const open = (event: FormEvent) => {
    event.preventDefault()
    const topic = name.trim()
    if (topic === '') return
    setName('')
    void navigate({ to: '/realtime/$topic', params: { topic } })
  }
  return (
    <form className={styles.other} onSubmit={open} aria-label="Join another topic">
      <TextField label="Topic" hideLabel placeholder="another topic" mono value={name} onChange={setName} />
      <Button type="submit">Join</Button>
    </form>
  )
}

function Topic({ topic }: { readonly topic: string }) {
  const [isJoined, setJoined] = useState(true)
  useTitle(topic)
  return (
    <TopicView
      topic={topic}
      isJoined={isJoined}
      onJoin={() => setJoined(true)}
      onLeave={() => setJoined(false)}
      aside={<OtherTopic />}
    />
  )
}

/** Joins while the page is open; leaving the page leaves the topic. */
export function RealtimePage() {
  const { topic } = useParams({ strict: false })
  if (topic === undefined) return <Navigate to="/realtime/$topic" params={{ topic: FIRST_TOPIC }} replace />
  return <Topic key={topic} topic={topic} />
}
