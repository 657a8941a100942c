// The project that the embedded backend runs and follows.
export {
  migrationView,
  type MigrationView,
  needsReset,
  type ProjectFailure,
  type ProjectMigration,
  type ProjectState,
} from './project-state.ts'
export { projectStoreOf, type ProjectStore, type ProjectView } from './project-store.ts'
