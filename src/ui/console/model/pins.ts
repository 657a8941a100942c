// Pins: values of actors that stay visible, as texts such as `client/session#/context/token/exp`.

/** A value, by its actor's path and a JSON pointer into the actor: `/state`, or below `/context`. */
export interface Pin {
  readonly actor: string
  readonly path: string
}

export const textOfPin = ({ actor, path }: Pin): string => `${actor}#${path}`

/** Parses a pin; returns undefined for an invalid text. */
export function pinOf(text: string): Pin | undefined {
  const at = text.indexOf('#/')
  return at > 0 ? { actor: text.slice(0, at), path: text.slice(at + 1) } : undefined
}

/** Joins all pins to one URL value. */
export const joinPins = (pins: readonly string[]): string =>
  pins.map(pin => pin.replaceAll('%', '%25').replaceAll('|', '%7C')).join('|')

/** Returns the pins in a URL value; invalid ones are ignored. */
export function splitPins(text: string): readonly string[] {
  const pins = text.split('|').map(pin => pin.replaceAll('%7C', '|').replaceAll('%25', '%'))
  return [...new Set(pins)].filter(pin => pinOf(pin) !== undefined)
}
