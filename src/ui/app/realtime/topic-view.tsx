// A topic: its state, who is there, the messages and the line to write one.
import { LogOut, Radio } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChannelStatus } from '../../../index.ts'
import { Button } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { explainChannel } from '../channel-reason.ts'
import { Notice, PageHead } from '../shell/page.tsx'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { PeopleList } from './people-list.tsx'
import styles from './realtime.module.css'
import { useTopic } from './use-topic.ts'

export interface TopicViewProps {
  readonly topic: string
  readonly isJoined: boolean
  readonly onJoin: () => void
  readonly onLeave: () => void
  readonly aside: ReactNode
}

function StateChip({ status }: { readonly status: ChannelStatus }) {
  const title = status.reason === undefined ? {} : { title: explainChannel(status.reason) }
  switch (status.phase) {
    case 'joined':
      return (
        <Chip tone="ok" {...title}>
          joined
        </Chip>
      )
    case 'denied':
      return (
        <Chip tone="fail" {...title}>
          denied
        </Chip>
      )
    case 'left':
      return <Chip tone="stale">left</Chip>
    case 'waiting':
    case 'joining':
    case 'retrying':
      return (
        <Chip tone="pending" pending {...title}>
          {status.phase}
        </Chip>
      )
  }
}

function Conversation({ topic, onLeave, aside }: Pick<TopicViewProps, 'topic' | 'onLeave' | 'aside'>) {
  const { status, people, self, messages, send } = useTopic(topic)
  return (
    <>
      <PageHead title={topic} note={<StateChip status={status} />}>
        {aside}
        <Button icon={<LogOut size={14} aria-hidden />} onPress={onLeave}>
          Leave
        </Button>
      </PageHead>
      {status.reason !== undefined && status.phase !== 'joined' ? (
        <div className={styles.reason}>
          <Notice tone={status.phase === 'denied' ? 'fail' : 'info'}>
            {status.phase === 'denied' ? 'The backend refused: ' : 'Not joined: '}
            {explainChannel(status.reason)}
            {status.phase === 'denied' ? '.' : '. It is tried again by itself.'}
          </Notice>
        </div>
      ) : null}
      <div className={styles.columns}>
        <section className={styles.talk} aria-label="Messages">
          <MessageList messages={messages} topic={topic} />
          <Composer isDisabled={status.phase !== 'joined'} onSend={send} />
        </section>
        <PeopleList people={people} selfKey={self.key} isJoined={status.phase === 'joined'} />
      </div>
    </>
  )
}

/** Left, it offers to join again. */
export function TopicView({ topic, isJoined, onJoin, onLeave, aside }: TopicViewProps) {
  if (isJoined) return <Conversation topic={topic} onLeave={onLeave} aside={aside} />
  return (
    <>
      <PageHead title={topic} note={<Chip tone="stale">left</Chip>}>
        {aside}
      </PageHead>
      <EmptyState
        icon={<Radio size={22} aria-hidden />}
        title="You left this topic"
        action={<Button onPress={onJoin}>Join again</Button>}
      >
        Nobody sees you here, and its messages do not reach you.
      </EmptyState>
    </>
  )
}
