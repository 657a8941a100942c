// The list of topics, each with its state and unread count.
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Dot } from '../../widgets/pill.tsx'
import {
  settingsWords,
  TONES,
  type TopicsStore,
  type TopicStore,
} from '../../../services/workbench/realtime/index.ts'
import styles from './realtime.module.css'
import { useTopic } from './use-topics-store.ts'

export interface TopicsRailProps {
  readonly store: TopicsStore
  readonly topics: readonly TopicStore[]
  readonly onJoin: () => void
}

export function TopicsRail({ store, topics, onJoin }: TopicsRailProps) {
  return (
    <nav className={styles.rail} aria-label="Topics">
      <ul>
        {topics.map(topic => (
          <TopicLine key={topic.topic} topic={topic} onRemove={() => store.remove(topic.topic)} />
        ))}
      </ul>
      <Button size="s" icon={<Plus size={13} aria-hidden />} onPress={onJoin}>
        Join a topic
      </Button>
    </nav>
  )
}

function TopicLine({ topic, onRemove }: { readonly topic: TopicStore; readonly onRemove: () => void }) {
  const { status, isIn, unread, settings } = useTopic(topic)
  const words = settingsWords(settings)
  return (
    <li className={styles.topicLine}>
      <Link
        to="/realtime/$topic"
        params={{ topic: topic.topic }}
        className={styles.topicLink}
        activeProps={{ 'data-on': '' }}
      >
        <Dot tone={TONES[status.phase]} />
        <span className={styles.topicName}>{topic.topic}</span>
        {unread === 0 ? null : (
          <span className={styles.unread} aria-label={`${unread} new`}>
            {unread > 999 ? '999+' : unread}
          </span>
        )}
        <span className={styles.topicWords}>{[isIn ? status.phase : 'left', ...words].join(' · ')}</span>
      </Link>
      {isIn ? null : (
        <IconButton label={`Remove ${topic.topic}`} size="s" noTooltip onPress={onRemove}>
          <X size={13} />
        </IconButton>
      )}
    </li>
  )
}
