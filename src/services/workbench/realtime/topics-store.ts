// All topics of one user and connection, several at once: joined ones, and those that were left.
import { array, boolean, fallback, object, string } from 'valibot'
import type { ChartroomClient, ClientStatus } from '../../client/index.ts'
import { createRedactor, Listeners } from '../../../trace/index.ts'
import { readSetting, writeSetting } from '../storage/local-store.ts'
import { TopicStore } from './topic-store.ts'
import { EMPTY_TOPIC_DRAFT, topicDraftSchema, type TopicDraft } from './topic-draft.ts'
import { settingsSchema, USUAL_SETTINGS, type TopicSettings } from './topic-settings.ts'

const keptSchema = array(
  object({
    topic: string(),
    isIn: fallback(boolean(), true),
    settings: fallback(settingsSchema, USUAL_SETTINGS),
    draft: fallback(topicDraftSchema, EMPTY_TOPIC_DRAFT),
  }),
)

export interface RealtimeUser {
  /** The user's id. */
  readonly key: string
  readonly name: string
}

/** Longer payloads are not stored. */
const MOST_KEPT = 20_000

/** Removes secrets and very long text. */
function keptDraft(draft: TopicDraft): TopicDraft {
  const redactor = createRedactor()
  const keepText = (text: string) => (text.length > MOST_KEPT ? '' : redactor.value(text))
  return {
    ...draft,
    words: keepText(draft.words),
    json: keepText(draft.json) || '{}',
    hex: keepText(draft.hex),
  }
}

export class TopicsStore {
  readonly #client: ChartroomClient
  readonly #user: RealtimeUser
  readonly #listeners = new Listeners()
  readonly #setting: string
  #topics: readonly TopicStore[] = []
  readonly #wantedTopics: readonly string[]
  #isStarted = false
  #isPaused = false

  constructor(client: ChartroomClient, user: RealtimeUser) {
    this.#client = client
    this.#user = user
    this.#setting = `realtime.${client.url}.${user.key}`
    const storedTopics = readSetting(this.#setting, keptSchema, [])
    this.#topics = storedTopics.map(({ topic, settings, draft }) => this.#createStore(topic, settings, draft))
    this.#wantedTopics = storedTopics.flatMap(({ topic, isIn }) => (isIn ? [topic] : []))
  }

  /** Rejoins the topics of the last visit; only the first call has an effect. */
  readonly start = (): void => {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const topic of this.#wantedTopics) this.find(topic)?.join()
    this.#client.onStatus(status => this.#follow(status))
  }

  readonly topics = (): readonly TopicStore[] => this.#topics

  readonly subscribe = this.#listeners.subscribe

  readonly find = (topic: string): TopicStore | undefined => this.#topics.find(each => each.topic === topic)

  /** Joins a topic or returns the joined one; rejoins it if settings are given. */
  readonly open = (topic: string, settings?: TopicSettings): TopicStore => {
    const openTopic = this.find(topic)
    if (openTopic) {
      if (settings) openTopic.configure(settings)
      return openTopic
    }
    const store = this.#createStore(topic, settings ?? USUAL_SETTINGS)
    this.#set([...this.#topics, store])
    store.join()
    return store
  }

  /** Leaves a topic permanently and removes its log. */
  readonly remove = (topic: string): void => {
    this.find(topic)?.leave()
    this.#set(this.#topics.filter(each => each.topic !== topic))
  }

  #createStore(topic: string, settings: TopicSettings, draft?: TopicDraft): TopicStore {
    return new TopicStore({
      client: this.#client,
      topic,
      settings,
      ...(draft && { draft }),
      user: this.#user,
      onKept: () => this.#keep(),
    })
  }

  /** Leaves all topics on sign-out; rejoins them when the same user signs in again. */
  #follow({ session }: ClientStatus) {
    const isTheirs = session.phase === 'authenticated' && session.user.id === this.#user.key
    if (isTheirs && this.#isPaused) {
      this.#isPaused = false
      for (const topic of this.#topics) if (topic.state().isIn) topic.join()
    } else if (!isTheirs && !this.#isPaused && session.phase !== 'signingOut') {
      this.#isPaused = true
      for (const topic of this.#topics) if (topic.state().isIn) topic.pause()
    }
  }

  #set(topics: readonly TopicStore[]) {
    this.#topics = topics
    this.#keep()
    this.#listeners.notify()
  }

  #keep() {
    writeSetting(
      this.#setting,
      this.#topics.map(topic => {
        const { isIn, settings, draft } = topic.state()
        return { topic: topic.topic, isIn, settings, draft: keptDraft(draft) }
      }),
    )
  }
}
