// The public entry `chartroom/db`: tables as collections of TanStack DB, and an outbox for writes made offline.
export {
  type ChartroomCollectionConfig,
  chartroomCollectionOptions,
  type ChartroomCollectionUtils,
  type CollectionStatus,
  type CreateActor,
  type Outbox,
  type OutboxOptions,
  type OutboxStatus,
  type OutboxWrite,
  type Row,
  startOutbox,
} from '../services/db/index.ts'
export type { OutboxPhase, RowsPhase, WritePhase } from '../machines/index.ts'
