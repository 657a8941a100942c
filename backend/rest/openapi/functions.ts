// The paths of functions.
import type { Parameter, Routine } from '../schema/index.ts'
import {
  elementOf,
  JSON_TYPES,
  nonEmpty,
  operationTexts,
  schemaOf,
  swaggerFormat,
  swaggerType,
} from './types.ts'

export function describeFunction({
  name,
  comment,
  parameters,
  volatility,
}: Routine): Record<string, unknown> {
  const operation = {
    tags: [`(rpc) ${name}`],
    ...operationTexts(comment),
    produces: JSON_TYPES,
    responses: { 200: { description: 'OK' } },
  }
  const schema = {
    type: 'object',
    description: comment,
    properties:
      nonEmpty(parameters) && Object.fromEntries(parameters.map(one => [one.name, schemaOf(one.type)])),
    required: nonEmpty(parameters.filter(one => one.isRequired).map(one => one.name)),
  }
  const body = [{ name: 'args', in: 'body', required: true, schema }, { $ref: '#/parameters/preferParams' }]
  return {
    get:
      volatility === 'volatile' ? undefined : { ...operation, parameters: nonEmpty(parameters.map(inQuery)) },
    post: { ...operation, parameters: body },
  }
}

function inQuery({ name, type, isRequired, isVariadic }: Parameter): Record<string, unknown> {
  const parameter = { name, in: 'query', required: isRequired }
  const swagger = swaggerType(type) ?? 'string'
  // Arrays are sent as one text: `{1,2}`.
  if (!isVariadic)
    return { ...parameter, type: swagger === 'array' ? 'string' : swagger, format: swaggerFormat(type) }
  const element = elementOf(type)
  const items = { type: swaggerType(element), format: swaggerFormat(element) }
  return { ...parameter, type: swagger, collectionFormat: 'multi', items }
}
