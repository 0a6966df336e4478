/** Of what is shown although it is not renewed any more. */
export const sayAge = (minutes: number): string =>
  minutes < 1 ? 'less than a minute' : minutes === 1 ? '1 minute' : `${minutes} minutes`;
