// Workbench-only entry, not part of the package: probes backends and parses addresses and API keys.
export { readAddress, type AddressForm, type HostAddress } from './services/hosts/address.ts'
export { isPublicKey, isSecretKey, readKey, type ApiKey } from './services/hosts/api-key.ts'
export {
  createHostMonitor,
  createControlledMonitor,
  type HostMonitor,
} from './services/hosts/host-monitor.ts'
export { readPasted } from './services/hosts/pasted.ts'
export { readOwnFile, readOwnJson } from './services/hosts/own-files.ts'
export { probeBackend, type ProbeResult } from './services/probe.ts'
