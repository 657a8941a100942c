// Backends: addresses, keys, connections, probes and monitors.
export { readAddress } from '../../runtime/index.ts'
export { type ApiKey, readKey } from './api-key.ts'
export {
  createConnectionsStore,
  type Connection,
  type Connections,
  type ConnectionsAction,
  connectionTitle,
} from './connections.ts'
export { type Deployment, DEPLOYMENT_FILE, type EmbeddedConfig, readOwnOrigin } from './deployment.ts'
export { describeAddress, publicKey, worthKeeping, readPasted } from './describe-address.ts'
export { forgetHost } from './forget-host.ts'
export { backendHealthOf, keepBackendHealth } from './backend-health.ts'
export type { BackendFault, BackendTrouble } from './backend-status.ts'
export { recordedTrouble } from './recorded-trouble.ts'
export { probeBackend, type ProbeResult } from './probe.ts'
export { startSurvey, type SurveyState, surveyState } from './survey.ts'
