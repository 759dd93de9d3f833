package world;

/** A row of the table `fortune`. */
public record Fortune(int id, String message) {}
