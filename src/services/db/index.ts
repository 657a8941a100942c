// A backend's tables as TanStack DB collections, and the outbox for writes that are made offline.
export {
  type ChartroomCollectionConfig,
  chartroomCollectionOptions,
  type ChartroomCollectionUtils,
  type CollectionStatus,
} from './collection.ts'
export {
  createOutbox,
  type Outbox,
  type OutboxOptions,
  type OutboxStatus,
  type OutboxWrite,
  startOutbox,
} from './outbox.ts'
export type { CreateActor } from './run-machine.ts'
export { createMemoryStorage, type Row, type WriteStorage } from './stored-write.ts'
