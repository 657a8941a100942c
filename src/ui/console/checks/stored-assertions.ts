// Stores the user's assertions in the browser as they were typed.
import { storedTexts, storeTexts } from '../stored-layout.ts'

const NAME = 'assertions'

export const storedOwn = (): string => storedTexts(NAME)[0] ?? ''

export const storeOwn = (text: string): void => storeTexts(NAME, text.trim() === '' ? [] : [text])
