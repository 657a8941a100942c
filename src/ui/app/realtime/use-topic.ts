// A joined topic: its channel, who is there and what was said, with sending.
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { useChannel, usePresence, useStatus } from '../../react.ts'
import { conversationReducer, MESSAGE_EVENT, peopleOf, SILENCE } from './conversation.ts'

/** The name under which others see the user, and the presence key that joins the user's tabs. */
const useSelf = () =>
  useStatus(({ session }) =>
    session.phase === 'authenticated'
      ? { key: session.user.id, name: session.user.email?.split('@')[0] ?? 'someone' }
      : { key: 'nobody', name: 'someone' },
  )

/** Joins `topic` while mounted and tracks the user there. */
export const useTopic = (topic: string) => {
  const self = useSelf()
  const options = { broadcast: { ack: true }, presence: { key: self.key } } as const
  const { status, handle } = useChannel(topic, options)
  const presence = usePresence(handle)
  const lastSaid = useRef(0)
  const [conversation, dispatch] = useReducer(conversationReducer, SILENCE)
  useEffect(
    () =>
      handle?.on('broadcast', ({ event, payload }) => dispatch({ type: 'message.received', event, payload })),
    [handle],
  )
  useEffect(() => {
    if (handle === undefined) return
    void handle.track({ name: self.name })
    return () => void handle.untrack()
  }, [handle, self.name])
  const send = async (text: string, at: string) => {
    if (handle === undefined) return
    const id = (lastSaid.current -= 1)
    dispatch({ type: 'message.sending', id, from: self.name, text, at })
    const result = await handle.send(MESSAGE_EVENT, { from: self.name, text, at })
    dispatch(
      result.ok
        ? { type: 'message.sent', id }
        : { type: 'message.failed', id, problem: result.failure.message },
    )
  }
  const people = useMemo(() => peopleOf(presence), [presence])
  return { status, people, self, messages: conversation.messages, send }
}
