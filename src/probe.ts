// An entry for the workbench alone: asks whether a host is there, reads addresses and keys. No part of the package.
export { readAddress, type AddressForm, type HostAddress } from './services/hosts/address.ts'
export { isPublicKey, isSecretKey, readKey, type ApiKey } from './services/hosts/api-key.ts'
export { createLine, createSeatedLine, type Line } from './services/hosts/line.ts'
export { readPasted } from './services/hosts/pasted.ts'
export { readOwnFile, readOwnJson } from './services/hosts/own-files.ts'
export { probeBackend, type ProbeResult } from './services/probe.ts'
