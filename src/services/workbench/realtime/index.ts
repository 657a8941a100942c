// Realtime topics: settings, messages, people and status.
export { COMPARISONS } from './change-filter.ts'
export { explainChannel } from './channel-reason.ts'
export { TONES, topicNews, type WayOn, type TopicState } from './describe-topic.ts'
export {
  ALL,
  announcementOf,
  bytesOf,
  type Entry,
  exportLines,
  type LogFilter,
  matching,
  spokenText as spoken,
} from './message-log.ts'
export { figuresOf, Meters, WINDOW_S } from './meters.ts'
export { peopleOf, type Person, withoutMark } from './people.ts'
export { type ChangedRow, fieldChanges, isChangedRow } from './row-diff.ts'
export type { TopicDraft } from './topic-draft.ts'
export {
  type Change,
  changeOf,
  changeWords,
  type Condition,
  EVENTS,
  newChange,
  nextId,
  settingsProblems,
  settingsSchema,
  settingsWords,
  type TopicSettings,
  USUAL_SETTINGS,
} from './topic-settings.ts'
export { TopicStore } from './topic-store.ts'
export { type RealtimeUser, TopicsStore } from './topics-store.ts'
