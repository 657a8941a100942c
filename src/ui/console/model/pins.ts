// Pins: values of actors that stay in view, as texts such as `client/session#/context/token/exp`.

/** A value by the path of its actor and a JSON pointer into what the actor is: `/state`, or below `/context`. */
export interface Pin {
  readonly actor: string
  readonly path: string
}

export const textOfPin = ({ actor, path }: Pin): string => `${actor}#${path}`

/** What a text pins; nothing when it is no pin. */
export function pinOf(text: string): Pin | undefined {
  const at = text.indexOf('#/')
  return at > 0 ? { actor: text.slice(0, at), path: text.slice(at + 1) } : undefined
}

/** All pins as one value of the URL. */
export const joinPins = (pins: readonly string[]): string =>
  pins.map(pin => pin.replaceAll('%', '%25').replaceAll('|', '%7C')).join('|')

/** The pins in a value of the URL; what is no pin is passed over. */
export function splitPins(text: string): readonly string[] {
  const pins = text.split('|').map(pin => pin.replaceAll('%7C', '|').replaceAll('%25', '%'))
  return [...new Set(pins)].filter(pin => pinOf(pin) !== undefined)
}
