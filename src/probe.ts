// Workbench-only entry, not part of the package: probes backends and parses addresses and API keys.
export { readAddress, type AddressForm, type HostAddress } from './services/workbench/hosts/address.ts'
export { isPublicKey, isSecretKey, readKey, type ApiKey } from './services/workbench/hosts/api-key.ts'
export {
  createHostMonitor,
  createControlledMonitor,
  type HostMonitor,
} from './services/workbench/hosts/host-monitor.ts'
export { readPasted } from './services/workbench/hosts/pasted.ts'
export { readOwnFile, readOwnJson } from './services/workbench/hosts/own-files.ts'
export { probeBackend, type ProbeResult } from './services/workbench/hosts/probe.ts'
