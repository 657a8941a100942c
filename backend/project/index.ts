// An existing project as the database's content.
export { type ProjectReport, applyProject } from './apply.ts'
export type { MissingGrants } from './grants.ts'
export { type Project, readProject } from './files.ts'
export { bare } from './preparation.ts'
export { followProject, type ProjectFollower, type ProjectStatus, type StartedFollower } from './follow.ts'
export { createProjectRoutes } from './routes.ts'
