package world;

/** A row as it is sent. */
public record Row(int id, int randomNumber) {}
