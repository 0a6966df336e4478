/** `1.3 GB`, in powers of a thousand, as disks are sold. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let number = bytes;
  for (; number >= 1000 && unit < units.length - 1; unit += 1) number /= 1000;
  return `${unit === 0 ? Math.round(number) : number.toFixed(1)} ${units[unit]}`;
}
