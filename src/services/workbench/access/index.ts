// Access reviews with the accounts that are signed in.
export { AccessRun, type AccessRunSnapshot, type Reviewer } from './access-run.ts'
