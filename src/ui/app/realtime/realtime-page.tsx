// The Realtime section: the list of topics, and the one in the URL.
import { Navigate, useNavigate, useParams, Link } from '@tanstack/react-router'
import { Radio, Plus, X } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { useAppCommands } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { PageHead } from '../shell/page.tsx'
import { Redirect } from '../shell/redirect.tsx'
import { useWorkspace } from '../workspace.tsx'
import { JoinDialog } from './join-dialog.tsx'
import {
  type TopicsStore,
  type TopicStore,
  settingsWords,
  TONES,
} from '../../../services/workbench/realtime/index.ts'
import { TopicView } from './topic-view.tsx'
import { useTopicsStore, useTopic } from './use-topics-store.ts'
import { Dot } from '../../widgets/pill.tsx'
import styles from './realtime.module.css'

/** The topic of the embedded backend's demo: offered, but never joined unasked, as others see who joins. */
const DEMO_TOPIC = 'bridge'

function useTopicCommands(topics: readonly TopicStore[], onJoin: () => void) {
  const navigate = useNavigate()
  useAppCommands(
    useMemo<readonly AppCommand[]>(
      () => [
        { id: 'realtime.join', title: 'Join a topic…', section: 'Realtime', run: onJoin },
        ...topics.map(({ topic }) => ({
          id: `realtime.topic.${topic}`,
          title: `Topic ${topic}`,
          section: 'Go to' as const,
          words: 'channel realtime',
          run: () => void navigate({ to: '/realtime/$topic', params: { topic } }),
        })),
      ],
      [topics, onJoin, navigate],
    ),
  )
}

function NoTopic({ onJoin }: { readonly onJoin: () => void }) {
  useTitle('Realtime')
  const { active } = useWorkspace()
  const navigate = useNavigate()
  const joinDemo = () => void navigate({ to: '/realtime/$topic', params: { topic: DEMO_TOPIC } })
  return (
    <>
      <PageHead title="Realtime" />
      <EmptyState
        icon={<Radio size={22} aria-hidden />}
        title="No topics joined"
        action={
          <span className={styles.ways}>
            <Button variant="primary" onPress={onJoin}>
              Join a topic
            </Button>
            {active?.embedded === true ? <Button onPress={joinDemo}>Join {DEMO_TOPIC}</Button> : null}
          </span>
        }
      >
        Messages, presence and row changes appear as they arrive. Several topics can be open at once.
      </EmptyState>
    </>
  )
}

/** Joins the topic in the URL if it is not in the list. */
function useNamedTopic(store: TopicsStore, topics: readonly TopicStore[], name: string | undefined) {
  useEffect(() => {
    store.start()
    if (name !== undefined) store.open(name)
  }, [store, name])
  return topics.find(({ topic }) => topic === name)
}

function Topic({ store, rail }: { readonly store: TopicStore; readonly rail: React.ReactNode }) {
  useTitle(store.topic)
  useTimeZone()
  return <TopicView store={store} rail={rail} />
}

/** Topics stay joined while other pages are shown, until the user leaves them. */
export function RealtimePage() {
  const { topic: name } = useParams({ strict: false })
  const navigate = useNavigate()
  const [store, topics] = useTopicsStore()
  const [isJoining, setJoining] = useState(false)
  const topic = useNamedTopic(store, topics, name)
  const [onJoin] = useState(() => () => setJoining(true))
  useTopicCommands(topics, onJoin)
  const first = topics[0]?.topic
  if (name === undefined && first !== undefined)
    return (
      <Redirect>
        <Navigate to="/realtime/$topic" params={{ topic: first }} replace />
      </Redirect>
    )
  return (
    <>
      {topic === undefined ? (
        name === undefined ? (
          <NoTopic onJoin={onJoin} />
        ) : null
      ) : (
        <Topic
          key={topic.topic}
          store={topic}
          rail={<TopicsRail store={store} topics={topics} onJoin={onJoin} />}
        />
      )}
      <JoinDialog
        isOpen={isJoining}
        onClose={() => setJoining(false)}
        onJoin={(joined, settings) => {
          store.open(joined, settings)
          void navigate({ to: '/realtime/$topic', params: { topic: joined } })
        }}
      />
    </>
  )
}

interface TopicsRailProps {
  readonly store: TopicsStore
  readonly topics: readonly TopicStore[]
  readonly onJoin: () => void
}

/** The list of topics, each with its state and unread count. */
function TopicsRail({ store, topics, onJoin }: TopicsRailProps) {
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
  const { status, isIn, unreadCount, settings } = useTopic(topic)
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
        {unreadCount === 0 ? null : (
          <span className={styles.unread} aria-label={`${unreadCount} new`}>
            {unreadCount > 999 ? '999+' : unreadCount}
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
