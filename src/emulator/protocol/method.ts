/** The methods that operations have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
