// An entry for the workbench alone: what its pages ask again by itself. No part of the package.
export { createRetries, type Retries } from './services/retries.ts'
